import type { AppOrigin } from "./app-events.ts";

/** The event, the run or both that led to a trigger. */
export interface ExecutionCause {
  /** The source or workflow that emitted the event or sent the request. */
  readonly sourceId: string;
  /** `<ms>-<seq>` of the event; absent for a request. */
  readonly eventId?: string;
  /** Absent where executions of that source are not stored. */
  readonly executionId?: string;
}

/** Where a trigger comes from. Stored with it. */
export interface TriggerOrigin {
  /** Absent when nothing inside of this runtime led to it. */
  readonly cause?: ExecutionCause;
  /** The execution that the trigger repeats. */
  readonly replayOf?: string;
  /** The span that led to it, as a W3C traceparent; absent without tracing. */
  readonly trace?: string;
  /** The request proved who sent it. */
  readonly verified?: true;
  /** Of an event of an app. */
  readonly app?: AppOrigin;
}
