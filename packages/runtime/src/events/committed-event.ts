import type { LiveEvent } from "../api/events-api.ts";

/** An event that was committed, with the source as it was then. */
export type CommittedEvent = Omit<LiveEvent, "payload">;

/** The event as listeners see it. */
export function liveEvent({ event, source }: CommittedEvent): LiveEvent {
  let parsed: { readonly payload: unknown } | undefined;
  return {
    event,
    source,
    get payload() {
      return (parsed ??= { payload: JSON.parse(event.payload) as unknown }).payload;
    },
  };
}
