import type { Source, StoredEvent } from "../model/model.ts";

/** A committed event with its source at that time. */
export interface CommittedEvent {
  readonly event: StoredEvent;
  readonly source: Source;
}
