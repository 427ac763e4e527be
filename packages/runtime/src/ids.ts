import { createHash, randomBytes } from "node:crypto";

import type { EventId } from "./model.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const lower = "0123456789abcdefghijklmnopqrstuvwxyz";

function randomText(length: number, letters: string): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // Bytes beyond the last whole multiple would make early letters more likely.
      if (byte < 256 - (256 % letters.length) && text.length < length) text += letters[byte % letters.length];
    }
  }
  return text;
}

export type IdPrefix = "sc" | "dc" | "u" | "p" | "wh" | "sub" | "d" | "c";

/** A random id with its prefix (R003), e.g. `dc_Q9x2bLk0aZ`. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomText(10, alphabet)}`;

/** The only secret of an HTTP endpoint: 28 lower-case characters, fit for a host name (G28). */
export const newEndpointKey = (): string => randomText(28, lower);

export const newApiKey = (): string => randomText(40, alphabet);

const ksuidEpochSeconds = 1_400_000_000;

/** Sortable 27-character base62 id: 4 bytes of seconds, 16 random bytes (contract 3.5). */
export function newSortableId(nowMs: number): string {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt32BE(Math.max(0, Math.floor(nowMs / 1000) - ksuidEpochSeconds) >>> 0, 0);
  randomBytes(16).copy(bytes, 4);
  let value = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (; value > 0n; value /= 62n) text = (alphabet[Number(value % 62n)] ?? "0") + text;
  return text.padStart(27, "0");
}

export const formatEventId = (id: EventId): string => `${id.ms}-${id.seq}`;

/** Undefined when the text is not `<ms>-<seq>`. */
export function parseEventId(text: string): EventId | undefined {
  const match = /^(\d{1,16})-(\d{1,15})$/.exec(text);
  if (!match) return undefined;
  const id = { ms: Number(match[1]), seq: Number(match[2]) };
  return Number.isSafeInteger(id.ms) ? id : undefined;
}

export const compareEventIds = (a: EventId, b: EventId): number => a.ms - b.ms || a.seq - b.seq;

/** The id after `head`: never goes back, even when the clock does (contract 3.5). */
export function nextEventId(head: EventId | undefined, nowMs: number): EventId {
  if (!head || nowMs > head.ms) return { ms: nowMs, seq: 0 };
  return { ms: head.ms, seq: head.seq + 1 };
}

export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");
