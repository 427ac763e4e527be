import type { DeliveryOutcome, RunPhases, RuntimeStats } from "../api/observe-api.ts";
import type {
  DeliveryAttempt,
  DeliveryStatus,
  Execution,
  HookName,
  ObservedExecution,
  ObservedQuestion,
  QueuedDelivery,
  Source,
  SourceType,
  TransitionKind,
  Webhook,
} from "@x/model";

/** A call of `run` or of a hook that begins. */
export interface StartedCall {
  readonly executionId: string;
  readonly source: Source;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  readonly at: number;
}

/** A call of `run` or of a hook that ended. */
export interface EndedCall {
  readonly source: Source;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  readonly execution: Execution;
  readonly dropped: readonly Pick<ObservedExecution["dropped"][number], "reason">[];
}

export interface CommittedRun extends RunPhases {
  readonly executionId: string;
  readonly source: Source;
  readonly commitMs: number;
}

export interface Attempt {
  readonly delivery: Omit<QueuedDelivery, "payload">;
  readonly webhook: Pick<Webhook, "userId">;
  readonly attempt: DeliveryAttempt;
  readonly status: DeliveryStatus;
}

/** Receives what happens in a runtime. Its methods do not throw. */
export interface Observer {
  started(call: StartedCall): void;
  /** Present when somebody reads the details of calls, which take memory. */
  readonly ended: ((ended: ObservedExecution) => void) | undefined;
  /** Present when somebody reads the requests of questions. */
  readonly asked: ((asked: ObservedQuestion) => void) | undefined;
  counted(ended: EndedCall): void;
  committed(run: CommittedRun): void;
  attempted(attempt: Attempt): void;
  changed(change: TransitionKind, source: Source): void;
  /** Names the work of the main thread that begins. */
  working(work: string, sourceId?: string): void;
}

/** Counts since the start. */
export interface Counts {
  call(ended: EndedCall): void;
  run(phases: RunPhases & { readonly commitMs: number }): void;
  attempt(outcome: DeliveryOutcome, durationMs: number): void;
  change(change: TransitionKind): void;
  read(): Pick<RuntimeStats, "invocations" | "phases" | "computeMs" | "emitted" | "dropped" | "changes"> & {
    readonly deliveries: Pick<RuntimeStats["deliveries"], "attempts" | "attemptMs">;
  };
}

/** Ids, numbers and fixed words; nothing that a component or a user wrote. */
export type SpanAttributes = { readonly [name: string]: string | number | boolean | undefined };

export interface SpanOptions {
  readonly kind: "internal" | "server" | "client" | "consumer";
  /** The traceparent of the span above; undefined: the span begins a trace. */
  readonly parent: string | undefined;
  readonly attributes?: SpanAttributes;
  /** Epoch ms; default: now. */
  readonly startedAt?: number;
}

/** A part of a trace, until `end`. */
export interface Span {
  /** For spans below it and for others' services; undefined when the tracer makes no ids. */
  readonly traceparent: string | undefined;
  /** Does work with the span as the active one of the embedder's tracer. */
  within<T>(work: () => T): T;
  /** `error`: a code; absent when it went well. */
  end(attributes?: SpanAttributes, error?: string): void;
}

/** Makes the spans of a runtime. Where no SDK is registered there is none, and nothing is computed for it. */
export interface Tracing {
  begin(name: string, options: SpanOptions): Span;
  /** The traceparent of the embedder's active span, if any. */
  active(): string | undefined;
}
