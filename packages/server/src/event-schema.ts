import type * as Rest from "@x/client";
import { type EventPage, inferSchema, type Json, type SourceView, type UserRuntime } from "@x/runtime";

/** Which stored events are read, larger ones apart. */
export type EventSample = Required<Pick<EventPage, "limit" | "wholeBytes" | "bytes">>;

/** Inference from these holds the thread for less than 0.1 s. */
const newest: EventSample = { limit: 100, wholeBytes: 64 * 1024, bytes: 1024 * 1024 };

/** What the events of a source look like: as its component declares them, else as the stored ones are, else as its example is. */
export async function readEventSchema(
  runtime: UserRuntime,
  { source, component }: SourceView,
  sample: EventSample = newest,
): Promise<Rest.EventSchema> {
  const { emits } = component.shape;
  if (emits?.from === "emits") return { ...emits, events: 0 };
  const { items } = await runtime.storedEvents(source.id, "emits", sample);
  const events = items.flatMap(({ payload, payloadBytes }) =>
    payloadBytes === undefined ? [JSON.parse(payload) as Json] : [],
  );
  if (emits && events.length === 0) return { ...emits, events: 0 };
  return { schema: inferSchema(events), from: "events", events: events.length };
}
