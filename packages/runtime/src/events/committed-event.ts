import type { Source, StoredEvent } from "../model/model.ts";

/** An event that was committed, with the source as it was then. */
export interface CommittedEvent {
  readonly event: StoredEvent;
  readonly source: Source;
}
