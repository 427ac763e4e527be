import type { Settled } from "../invocation/settle.ts";
import { rememberedId } from "../invocation/remembered-id.ts";
import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { CachedSource } from "../invocation/lane/source-cache.ts";
import { formatEventId, type RecordedDrop, type RecordedEmit, type RecordedPayload, type StoredEvent } from "@x/model";
import type { GuestEmit } from "@x/sandbox";
import { maskedJson } from "./masked.ts";
import type { RecordBounds, Room } from "./record-bounds.ts";

/** What the payloads of a record share. */
export interface PayloadParts {
  readonly mask: SecretMask;
  readonly room: Room;
  readonly bounds: Pick<RecordBounds, "payload">;
}

function recordedPayload(payload: string, { mask, room, bounds }: PayloadParts): RecordedPayload {
  const isKept = room.take(payload.length, bounds.payload);
  return { payload: isKept ? maskedJson(payload, mask) : null, payloadBytes: Buffer.byteLength(payload) };
}

interface Labels {
  readonly summary?: string;
  readonly dedupeId?: string;
  readonly ts?: number;
}

const maskedLabels = ({ summary, dedupeId, ts }: Labels, mask: SecretMask): Labels => ({
  ...(summary !== undefined && { summary: mask.text(summary) }),
  ...(dedupeId !== undefined && { dedupeId: mask.text(dedupeId) }),
  ...(ts !== undefined && { ts }),
});

/** The record of a stored event. The commit adds its listeners. */
export const recordedEmit = (event: StoredEvent, parts: PayloadParts): RecordedEmit => ({
  id: formatEventId(event.id),
  name: parts.mask.text(event.name),
  ...maskedLabels(event, parts.mask),
  ...recordedPayload(event.payload, parts),
  listeners: [],
});

/** An emit that was not stored, with the reason. */
export interface Drop {
  readonly emit: GuestEmit;
  readonly reason: RecordedDrop["reason"];
}

/** The emits of a run that were not stored. */
export const dropsOf = ({ dropped, isRolledBack }: Settled, emits: readonly GuestEmit[]): readonly Drop[] =>
  isRolledBack ? emits.map((emit) => ({ emit, reason: "rolled_back" })) : dropped;

/** The record of an emit that was not stored. */
export function recordedDrop({ emit, reason }: Drop, { dedupe }: CachedSource, parts: PayloadParts): RecordedDrop {
  const { id, name = "", summary, ts, payload } = emit;
  const { remembered } = rememberedId(dedupe, name);
  const labels = {
    ...(id !== undefined && { dedupeId: id }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
  };
  return {
    name: parts.mask.text(name),
    ...maskedLabels(labels, parts.mask),
    ...recordedPayload(payload, parts),
    reason,
    ...(remembered !== undefined && { remembered: parts.mask.text(remembered) }),
  };
}
