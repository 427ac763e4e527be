import type { Change } from "./contract.ts";

/** By emit id: what several rows of a commit have in common. */
export type SharedPayloads = ReadonlyMap<string, { readonly payload: string; readonly uses: number }>;

/** Shorter ones are stored with each row: that costs less than a row of their own. */
const fewestChars = 1_024;

const none: SharedPayloads = new Map();

/** The emit whose payload a change adds to the inbox or the outbox. */
function emitOf(change: Change): string | undefined {
  if (change.op === "trigger.add") return change.emitId;
  return change.op === "delivery.add" ? change.delivery.emitId : undefined;
}

/** Payloads that a commit adds as an event and, in the same commit, for its listeners: each is stored once. */
export function sharedPayloads(changes: readonly Change[]): SharedPayloads {
  const uses = new Map<string, number>();
  for (const change of changes) {
    const emitId = emitOf(change);
    if (emitId !== undefined) uses.set(emitId, (uses.get(emitId) ?? 0) + 1);
  }
  if (uses.size === 0) return none;
  const shared = new Map<string, { payload: string; uses: number }>();
  for (const change of changes) {
    if (change.op !== "event.add" || change.event.payload.length < fewestChars) continue;
    const { emitId, payload } = change.event;
    const others = uses.get(emitId);
    if (others !== undefined) shared.set(emitId, { payload, uses: others + 1 });
  }
  return shared;
}
