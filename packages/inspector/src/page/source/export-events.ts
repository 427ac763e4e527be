import type { EventSummary } from "@x/client";

import { readPages } from "../api/pages.ts";
import { type EventFilter, matchesEvent } from "./event-filter.ts";
import { eventLine } from "./event-line.ts";

/** Which events are exported. */
export interface ExportInput {
  readonly sourceId: string;
  readonly filter: EventFilter;
  /** Null: those of all channels. */
  readonly channel: string | null;
}

/** All stored events that match, oldest first, as NDJSON. */
export async function exportEvents({ sourceId, filter, channel }: ExportInput): Promise<Blob> {
  const query = { expand: "event", q: filter.kind === "value" ? filter.q : undefined };
  // One part per page: the browser keeps large parts on disk.
  const parts: Blob[] = [];
  for await (const { data } of readPages<EventSummary>(`/sources/${sourceId}/event_summaries`, query)) {
    const found = data.filter(
      (event) => (channel === null || event.metadata.name === channel) && matchesEvent(filter, event),
    );
    parts.unshift(new Blob(found.toReversed().map(eventLine)));
  }
  return new Blob(parts, { type: "application/x-ndjson" });
}
