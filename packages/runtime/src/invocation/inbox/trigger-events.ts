import type { LoadedRequest, LoadedTrigger, Trigger, TriggerHead } from "@x/model";
import type { Store } from "@x/store";

/** Events of waiting triggers: small ones are cached, others are read from the store when their runs begin. */
export interface TriggerEvents {
  /** Caches a trigger without a body and with at most 16 Ki characters, while all cached ones have at most 16 Mi; false otherwise. */
  add(trigger: Pick<Trigger, "id" | "event" | "body" | "received">): boolean;
  /** The trigger with its event; undefined when the trigger has left the store, for example with its source. */
  load(head: TriggerHead): Promise<LoadedTrigger | undefined>;
  remove(triggerId: string): void;
}

export interface TriggerEventsParts {
  readonly store: Pick<Store, "trigger">;
  /** The whole event of a request that was stored apart from its body. */
  joinBody(event: string, body: Uint8Array): Pick<LoadedTrigger, "event" | "warnings">;
}

type Cached = Pick<LoadedTrigger, "event"> & { readonly received?: LoadedRequest };

const maxChars = 16 * 1024 * 1024;
const maxCharsPerEvent = 16 * 1024;

export function createTriggerEvents({ store, joinBody }: TriggerEventsParts): TriggerEvents {
  const cache = new Map<string, Cached>();
  let chars = 0;

  return {
    add({ id, event, body, received }) {
      const size = event.length + (received?.length ?? 0);
      if (body || size > maxCharsPerEvent || chars + size > maxChars) return false;
      cache.set(id, { event, ...(received !== undefined && { received: { head: received } }) });
      chars += size;
      return true;
    },
    async load(head) {
      const cached = cache.get(head.id);
      if (cached) return { ...head, ...cached };
      const stored = await store.trigger(head.id);
      if (!stored) return undefined;
      const { event, body, received } = stored;
      return {
        ...head,
        ...(body ? joinBody(event, body) : { event }),
        ...(received !== undefined && { received: { head: received, ...(body && { body }) } }),
      };
    },
    remove(triggerId) {
      const cached = cache.get(triggerId);
      if (!cached) return;
      chars -= cached.event.length + (cached.received?.head.length ?? 0);
      cache.delete(triggerId);
    },
  };
}
