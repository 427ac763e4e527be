import type { EventSummary } from "@x/client";

/** An event as a line of NDJSON: `ts` is when it was stored, epoch ms; `metadata` is what its component gave beside it. */
export function eventLine({ id, indexed_at_ms: ts, event, metadata }: EventSummary): string {
  const { name, id: dedupeId, summary, ts: given } = metadata;
  return `${JSON.stringify({ id, ts, event, metadata: { name, id: dedupeId, summary, ts: given } })}\n`;
}
