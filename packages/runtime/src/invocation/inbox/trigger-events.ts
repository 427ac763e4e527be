import type { LoadedTrigger, TriggerHead } from "../../model/model.ts";
import type { Store } from "../../store/contract.ts";

/** Events of waiting triggers: small ones are cached, others are read from the store when their runs begin. */
export interface TriggerEvents {
  /** Caches an event of at most 4 Ki characters while all cached ones have at most 16 Mi. */
  add(triggerId: string, event: string): void;
  /** The trigger with its event; undefined when the trigger has left the store, for example with its source. */
  load(head: TriggerHead): Promise<LoadedTrigger | undefined>;
  remove(triggerId: string): void;
}

export interface TriggerEventsParts {
  readonly store: Pick<Store, "trigger">;
  /** The whole event of a request that was stored apart from its body. */
  joinBody(event: string, body: Uint8Array): Promise<string>;
}

const mostChars = 16 * 1024 * 1024;
const mostCharsPerEvent = 4 * 1024;

export function createTriggerEvents({ store, joinBody }: TriggerEventsParts): TriggerEvents {
  const cache = new Map<string, string>();
  let chars = 0;

  return {
    add(triggerId, event) {
      if (event.length > mostCharsPerEvent || chars + event.length > mostChars) return;
      cache.set(triggerId, event);
      chars += event.length;
    },
    async load(head) {
      const cached = cache.get(head.id);
      if (cached !== undefined) return { ...head, event: cached };
      const stored = await store.trigger(head.id);
      if (!stored) return undefined;
      const { event, body } = stored;
      return { ...head, event: body ? await joinBody(event, body) : event };
    },
    remove(triggerId) {
      chars -= cache.get(triggerId)?.length ?? 0;
      cache.delete(triggerId);
    },
  };
}
