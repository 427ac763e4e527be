import { errorText, newSortableId, type Logger } from "@x/model";
import type { Overflow } from "./fan-out.ts";
import { type Failure, recordError, type RecordErrorParts } from "../invocation/records/record-error.ts";

export interface OverflowsParts extends RecordErrorParts {
  readonly logger: Logger;
}

/** Records on a source's `$errors` that its inbox was full. One record counts all events dropped until it is written. */
export function createOverflows(parts: OverflowsParts): (overflows: readonly Overflow[]) => void {
  const unwritten = new Map<string, Overflow>();
  const { logger, clock, limits } = parts;
  // The record must trigger no run: sources that listen to errors would fill each other's inboxes.
  const cause = { hops: limits.deliveryHops + 1, ofError: false };

  async function describe(sourceId: string): Promise<Failure> {
    const { count, emitters, limit } = unwritten.get(sourceId) ?? { count: 0, emitters: new Set(), limit: "" };
    unwritten.delete(sourceId);
    const message = errorText("events_dropped", String(count), [...emitters].join(", "), limit);
    logger.warn("events were not delivered to a source: its inbox was full", { source: sourceId, count, limit });
    const at = clock.now();
    const failed = { executionId: newSortableId(at), type: "SUBSCRIPTION", entry: "run", event: "", at } as const;
    return { failed, error: { code: "events_dropped", message }, cause, changes: [] };
  }

  return (overflows) => {
    for (const overflow of overflows) {
      const { sourceId, count, emitters } = overflow;
      const known = unwritten.get(sourceId);
      unwritten.set(sourceId, known ?? overflow);
      if (known) {
        known.count += count;
        for (const emitter of emitters) known.emitters.add(emitter);
        continue;
      }
      recordError(sourceId, () => describe(sourceId), parts).catch((error: unknown) =>
        logger.error("a record of events that were not delivered could not be stored", {
          source: sourceId,
          error: String(error),
        }),
      );
    }
  };
}
