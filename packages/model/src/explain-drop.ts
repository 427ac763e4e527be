import type { DroppedEmit } from "./model.ts";

/** Why dedupe dropped an event, as a sentence. */
export function explainDrop({ id, reason, remembered }: DroppedEmit): string {
  const shownId = JSON.stringify(id ?? null);
  const last = JSON.stringify(remembered ?? null);
  switch (reason) {
    case "duplicate":
      return `id ${shownId} was emitted in an earlier run`;
    case "repeated_in_run":
      return `id ${shownId} was emitted before in the same run`;
    case "not_greater":
      return `id ${shownId} is not greater than ${last}, the greatest so far`;
    case "not_after_last":
      return `id ${shownId} does not come after ${last}, the last id of the run before`;
    case "invalid_id":
      return `id ${shownId} cannot be compared`;
  }
}
