import { inSlices, type Cause, type Clock, type Dispatcher, type ErrorCode, type Limits } from "@x/model";
import type { InvokeParts } from "../invoke.ts";
import type { CachedSource } from "../lane/source-cache.ts";
import type { Change } from "@x/store";
import { errorEvent, type FailedExecution } from "./error-record.ts";

export interface RecordErrorParts extends Pick<InvokeParts, "store" | "sourceCache" | "publish"> {
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
}

/** A failure outside of the runs of a source. */
export interface Failure {
  readonly failed: FailedExecution;
  readonly error: { readonly code: ErrorCode; readonly message: string };
  readonly cause?: Cause;
  /** Committed together with the record. */
  readonly changes: readonly Change[];
}

/**
 * Adds a record to the `$errors` of a source, in its lane, because only the lane knows the newest ids of its streams. For a
 * deleted source only the changes are committed. Calls `describe` in the lane.
 */
export function recordError(
  sourceId: string,
  describe: (cached: CachedSource | undefined) => Promise<Failure>,
  { store, clock, sourceCache, dispatcher, limits, publish }: RecordErrorParts,
): Promise<void> {
  const record = async (): Promise<void> => {
    const cached = await sourceCache.find(sourceId);
    const { failed, error, cause, changes } = await describe(cached);
    if (!cached) return store.commit(changes);
    const at = { ...cached, head: cached.heads.$errors };
    const event = await inSlices(errorEvent(at, failed, error, clock.now()));
    const trim: Change = { op: "events.trim", emitterId: sourceId, stream: "$errors", keep: limits.retention };
    await store.commit([...changes, { op: "event.add", event, ...(cause && { cause }) }, trim]);
    cached.heads = { ...cached.heads, $errors: event.id };
    sourceCache.put(cached);
    publish([{ event, source: cached.source }]);
  };
  return dispatcher.run(sourceId, record, "first");
}
