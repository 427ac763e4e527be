import type { CommittedEvent } from "../events/committed-event.ts";
import type { Live } from "../events/live.ts";
import { compareEventIds, type EventId } from "@x/model";
import type { Store } from "@x/store";
import type { HeldSlots } from "./held-slots.ts";

/**
 * Leaves out events up to `newest`, which were committed before a listener began: news of other nodes come late. `newest`
 * must be read after the listener began.
 */
export function laterEvents(
  events: AsyncIterableIterator<CommittedEvent>,
  newest: Promise<EventId | undefined>,
): AsyncIterableIterator<CommittedEvent> {
  // Without it, an early event is better than a gap.
  const known = newest.catch(() => undefined);
  return {
    async next() {
      const last = await known;
      for (;;) {
        const result = await events.next();
        if (result.done || !last || compareEventIds(result.value.event.id, last) > 0) return result;
      }
    },
    async return() {
      await events.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

export interface SharedLiveParts {
  readonly heldSlots: Pick<HeldSlots, "isHeld">;
  readonly store: Pick<Store, "sourceState">;
}

/** Listens to the sources of all nodes. */
export const shareLive = (own: Live, { heldSlots, store }: SharedLiveParts): Live => ({
  ...own,
  listen(filter, userId) {
    const heard = own.listen(filter, userId);
    const { sourceId, stream = "emits", after } = filter;
    if (after !== undefined || sourceId === undefined || heldSlots.isHeld(sourceId)) return heard;
    return laterEvents(
      heard,
      store.sourceState(sourceId).then(({ heads }) => heads[stream]),
    );
  },
});
