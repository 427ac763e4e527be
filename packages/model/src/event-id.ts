import type { EventId } from "./model.ts";

export const formatEventId = (id: EventId): string => `${id.ms}-${id.seq}`;

/** Returns undefined unless the text is `<ms>-<seq>`. */
export function parseEventId(text: string): EventId | undefined {
  const match = /^(\d{1,16})-(\d{1,15})$/.exec(text);
  if (!match) return undefined;
  const id = { ms: Number(match[1]), seq: Number(match[2]) };
  return Number.isSafeInteger(id.ms) ? id : undefined;
}

export const compareEventIds = (a: EventId, b: EventId): number => a.ms - b.ms || a.seq - b.seq;

/** The id after `head`. It increases even when the clock is set back. */
export function nextEventId(head: EventId | undefined, nowMs: number): EventId {
  if (!head || nowMs > head.ms) return { ms: nowMs, seq: 0 };
  return { ms: head.ms, seq: head.seq + 1 };
}
