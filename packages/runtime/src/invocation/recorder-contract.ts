import type { Component, GuestError, LoadedTrigger, Source, Steps } from "@x/model";
import type { Change } from "@x/store";
import type { CachedSource } from "./lane/source-cache.ts";
import type { RunTrace } from "./run-trace.ts";
import type { Executed, Settled } from "./settle.ts";

/** A trigger that leaves the inbox without a run. */
export interface AbandonedRun {
  readonly source: Source;
  readonly component: Component;
  readonly trigger: LoadedTrigger;
  readonly error: GuestError;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Records executions for the store. */
export interface ExecutionRecorder {
  /** Begins the record of a call; undefined for a source whose executions are not stored. */
  begin(source: Source): RunTrace | undefined;
  /** The changes that store the execution, for the commit of its effects. */
  record(cached: CachedSource, executed: Executed, settled: Settled, trace: RunTrace): Steps<readonly Change[]>;
  /** The changes that store the failed execution of a trigger without a run, for the commit that removes it. */
  abandoned(run: AbandonedRun): Steps<readonly Change[]>;
  /** Publishes the executions in these changes. */
  committed(changes: readonly Change[], commitMs: number): void;
  /** Forgets a deleted source. */
  forget(sourceId: string): void;
}
