import type { Change } from "../contract.ts";

/** By emit id: what several rows of a commit have in common. */
export type SharedPayloads = ReadonlyMap<string, { readonly payload: string; readonly uses: number }>;

/** Shorter ones are stored with each row: that costs less than a row of their own. */
const fewestChars = 1_024;

const none: SharedPayloads = new Map();

/** What a change stores of an emit. */
function payloadIn(change: Change): { readonly emitId: string; readonly payload: string } | undefined {
  if (change.op === "event.add") return change.event;
  if (change.op === "delivery.add") return change.delivery;
  if (change.op !== "trigger.add" || change.emitId === undefined) return undefined;
  return { emitId: change.emitId, payload: change.trigger.event };
}

/** Payloads that a commit adds several times, for an event and its listeners: each is stored once. */
export function sharedPayloads(changes: readonly Change[]): SharedPayloads {
  if (!changes.some(({ op }) => op === "trigger.add" || op === "delivery.add")) return none;
  const found = new Map<string, { payload: string; uses: number }>();
  for (const change of changes) {
    const { emitId, payload } = payloadIn(change) ?? { payload: "" };
    if (emitId === undefined || payload.length < fewestChars) continue;
    const known = found.get(emitId);
    if (known) known.uses += 1;
    else found.set(emitId, { payload, uses: 1 });
  }
  return new Map([...found].filter(([, { uses }]) => uses > 1));
}
