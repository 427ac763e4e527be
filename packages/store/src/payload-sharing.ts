import type { Change } from "./contract.ts";

/** Payloads that several rows of a commit share, by emit id. */
export type SharedPayloads = ReadonlyMap<string, { readonly payload: string; readonly uses: number }>;

/** Shorter payloads are stored in each row, which costs less than a separate row. */
const minChars = 1_024;

const none: SharedPayloads = new Map();

/** The payload that a change stores. */
function payloadIn(change: Change): { readonly emitId: string; readonly payload: string } | undefined {
  if (change.op === "event.add") return change.event;
  if (change.op === "delivery.add") return change.delivery;
  if (change.op !== "trigger.add" || change.emitId === undefined) return undefined;
  return { emitId: change.emitId, payload: change.trigger.event };
}

/** Finds the payloads that a commit adds several times, for an event and its listeners. Each is stored once. */
export function sharedPayloads(changes: readonly Change[]): SharedPayloads {
  if (!changes.some(({ op }) => op === "trigger.add" || op === "delivery.add")) return none;
  const found = new Map<string, { payload: string; uses: number }>();
  for (const change of changes) {
    const { emitId, payload } = payloadIn(change) ?? { payload: "" };
    if (emitId === undefined || payload.length < minChars) continue;
    const known = found.get(emitId);
    if (known) known.uses += 1;
    else found.set(emitId, { payload, uses: 1 });
  }
  return new Map([...found].filter(([, { uses }]) => uses > 1));
}
