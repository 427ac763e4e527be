import type { CommittedEvent } from "../events/committed-event.ts";
import { compareEventIds } from "../model/event-id.ts";
import type { EventId } from "../model/model.ts";

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
