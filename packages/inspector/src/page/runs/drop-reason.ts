import type { RunDrop } from "./execution.ts";

/** Why an event was dropped, as a sentence. */
export function reasonOf({ reason, dedupe_id: id, remembered }: RunDrop): string {
  const shown = JSON.stringify(id ?? null);
  const last = JSON.stringify(remembered ?? null);
  switch (reason) {
    case "duplicate":
      return `An earlier run emitted the id ${shown}.`;
    case "repeated_in_run":
      return `This run emitted the id ${shown} before.`;
    case "not_greater":
      return `The id ${shown} is not greater than ${last}, the greatest so far.`;
    case "not_after_last":
      return `The id ${shown} does not come after ${last}, the last one of the run before.`;
    case "invalid_id":
      return `The id ${shown} cannot be compared.`;
    case "rolled_back":
      return "The run failed, and its component is transactional.";
    default:
      return reason;
  }
}

const kinds: Readonly<Record<string, string>> = {
  duplicate: "an earlier run emitted the id",
  repeated_in_run: "this run emitted the id before",
  not_greater: "the id is not greater than the greatest so far",
  not_after_last: "the id does not come after the last one of the run before",
  invalid_id: "the id cannot be compared",
  rolled_back: "the run failed, and its component is transactional",
};

/** What dropped events of one reason have in common. */
export const reasonKind = (reason: string): string => kinds[reason] ?? reason;

/** Dropped events by their reasons, in the order in which they came. */
export function dropsByReason(drops: readonly RunDrop[]): readonly (readonly [reason: string, drops: RunDrop[]])[] {
  const groups = new Map<string, RunDrop[]>();
  for (const drop of drops) groups.set(drop.reason, [...(groups.get(drop.reason) ?? []), drop]);
  return [...groups];
}

const skips: Readonly<Record<string, string>> = {
  inactive: "paused",
  queue_full: "its queue is full",
  hop_limit: "too many hops",
};

/** Why a listener did not get an event. */
export const skipOf = (reason: string): string => skips[reason] ?? reason;
