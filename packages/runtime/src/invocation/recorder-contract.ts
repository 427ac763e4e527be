import type { Source } from "../model/model.ts";
import type { Steps } from "../process/slices.ts";
import type { Change } from "../store/contract.ts";
import type { CachedSource } from "./lane/source-cache.ts";
import type { RunTrace } from "./run-trace.ts";
import type { Executed, Settled } from "./settle.ts";

/** Records executions for the store. */
export interface ExecutionRecorder {
  /** Begins the record of a call; undefined for a source whose executions are not stored. */
  begin(source: Source): RunTrace | undefined;
  /** The changes that store the execution, for the commit of its effects. */
  record(cached: CachedSource, executed: Executed, settled: Settled, trace: RunTrace): Steps<readonly Change[]>;
  /** Publishes the executions in these changes. */
  committed(changes: readonly Change[], commitMs: number): void;
}
