import type { SourceType } from "@x/model";
import type { ExecutionRecord, ExecutionStatus, ExecutionSummary, Json } from "@x/model";

/** A stored execution without its details. Every text is masked. */
export interface StoredExecution extends ExecutionSummary {
  /** Duration of its commit; null for executions of a former process and for old ones. */
  readonly commitMs: number | null;
}

/** A stored execution. */
export interface StoredExecutionDetail extends StoredExecution, Pick<ExecutionRecord, "detail"> {}

/** A page of executions, newest first. `after` and `before` are their ids, also of executions that are no longer stored. */
export interface ExecutionPage {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
  /** `failed`: any status except `ok`. */
  readonly status?: ExecutionStatus | "failed";
  /** Only executions that ended at this time or later, epoch ms. */
  readonly since?: number;
  /** Only executions whose record has this text; letters of ASCII match in either case. */
  readonly text?: string;
  readonly trigger?: SourceType;
  /** Only executions that took at least so long. */
  readonly minMs?: number;
  /** Only executions that emitted events, none, or whose events were dropped. */
  readonly events?: "emitted" | "none" | "dropped";
}

/** A selection of executions as they are committed. */
export interface ExecutionsFilter {
  /** A source or workflow; absent: all of the user's. */
  readonly sourceId?: string;
  /** Begins with the stored executions that were committed after this one. */
  readonly after?: string;
  /** With `after`: called when that execution is no longer stored, so that others may be missing. */
  readonly onGap?: () => void;
  /** Ends the iteration when this API key is revoked. */
  readonly apiKey?: string;
  /** Most executions that wait for the listener, default 10 000. */
  readonly backlog?: number;
  readonly signal?: AbortSignal;
}

export interface ReplayInput {
  /** Replaces the event of the execution. */
  readonly event?: Json;
  /** Waits for the end of the run; default true. */
  readonly wait?: boolean;
}

export interface ExecutionTestInput {
  /** What the test imports the component from, such as `./orders.js`. Default: the name of its file, as far as it is known. */
  readonly component?: string;
}
