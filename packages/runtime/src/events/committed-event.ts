import type { Source, StoredEvent } from "@x/model";

/** A committed event with its source at that time. */
export interface CommittedEvent {
  readonly event: StoredEvent;
  readonly source: Source;
}
