import type { LoadedTrigger, TriggerHead } from "../../model/model.ts";
import type { Store } from "../../store/contract.ts";
import type { KeptEvents } from "./kept-events.ts";

/** A waiting trigger with its event; undefined when it has left the inbox, as with its source. */
export type ReadTrigger = (head: TriggerHead) => Promise<LoadedTrigger | undefined>;

export interface ReadTriggerParts {
  readonly store: Pick<Store, "trigger">;
  readonly kept: KeptEvents;
  /** The whole event of a request that was stored apart from its body. */
  joinBody(event: string, body: Uint8Array): Promise<string>;
}

export function createReadTrigger({ store, kept, joinBody }: ReadTriggerParts): ReadTrigger {
  return async (head) => {
    const known = kept.find(head.id);
    if (known !== undefined) return { ...head, event: known };
    const stored = await store.trigger(head.id);
    if (!stored) return undefined;
    const { event, body } = stored;
    return { ...head, event: body ? await joinBody(event, body) : event };
  };
}
