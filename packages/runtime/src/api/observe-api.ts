import type {
  DedupeReason,
  DeliveryAttempt,
  DeliveryStatus,
  EventIdText as EventId,
  ExecutionStatus,
  Histogram,
  HookName,
  ObservedQuestion,
  SourceType,
  TransitionKind,
} from "@x/model";
import type { SandboxStats } from "@x/sandbox";
import type { CommitStats } from "@x/store";
import type { Source } from "./api.ts";
import type { ObservedExecution } from "./events-api.ts";

/** One call of a component's code that begins. */
export interface ObservedStart {
  readonly executionId: string;
  readonly source: Source;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  /** When its trigger was accepted. */
  readonly at: number;
}

/** The durations of a run, in milliseconds. */
export interface RunPhases {
  /** From the acceptance of its trigger to its start. */
  readonly queuedMs: number;
  /** The component's code, with its credentials and the wait for a thread. */
  readonly sandboxMs: number;
}

/** One run whose effects are stored. */
export interface ObservedCommit extends RunPhases {
  readonly executionId: string;
  readonly source: Source;
  readonly commitMs: number;
}

/** One attempt to deliver an event to a webhook, after its result is stored. */
export interface ObservedDelivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  /** Owner of the webhook. */
  readonly userId: string;
  readonly emitterId: string;
  readonly eventId: EventId;
  readonly eventName: string;
  /** Counts from 1. */
  readonly number: number;
  readonly attempt: DeliveryAttempt;
  /** `pending`: another attempt follows. */
  readonly status: DeliveryStatus;
}

/** A change of a source that is stored. */
export interface ObservedChange {
  readonly change: TransitionKind;
  /** The source after the change; before it for a deletion. */
  readonly source: Source;
}

/**
 * Functions that are called when something happens, in the thread of the runtime: they should be fast. What they throw is
 * logged.
 */
export interface ObserveHooks {
  /** Before a run or hook. */
  readonly start?: (started: ObservedStart) => void;
  /** After a run or hook, right before the commit; a trigger whose commit fails may be observed again. */
  readonly end?: (ended: ObservedExecution) => void;
  /** After a call of `options`, `additionalProps` or `eventNames`. */
  readonly ask?: (asked: ObservedQuestion) => void;
  /** After the commit of a run. */
  readonly commit?: (committed: ObservedCommit) => void;
  readonly delivery?: (delivery: ObservedDelivery) => void;
  /** After a source was created, updated, paused, resumed or deleted. */
  readonly deploy?: (change: ObservedChange) => void;
}

/** How an attempt to deliver ended; `retried`: another one follows. */
export type DeliveryOutcome = "delivered" | "retried" | "dead";

export type { Histogram } from "@x/model";
export type { SandboxStats } from "@x/sandbox";
export type { CommitStats } from "@x/store";

/** Counts since the runtime was created, and what is waiting now; of all users. */
export interface RuntimeStats {
  /** Runs and hooks that ended, by what triggered them and by outcome. */
  readonly invocations: { readonly [type in SourceType]: { readonly [outcome in ExecutionStatus]: number } };
  /** Phases of runs in milliseconds. */
  readonly phases: { readonly [phase in "queued" | "sandbox" | "commit"]: Histogram };
  /** Time spent executing code of components, in milliseconds. */
  readonly computeMs: number;
  readonly emitted: number;
  readonly dropped: { readonly [reason in DedupeReason]: number };
  /** Changes of sources. */
  readonly changes: { readonly [change in TransitionKind]: number };
  /** The triggers of all inboxes. */
  readonly queue: { readonly waiting: number; readonly running: number; readonly bytes: number };
  readonly deliveries: {
    readonly attempts: { readonly [outcome in DeliveryOutcome]: number };
    /** Attempts, in milliseconds. */
    readonly attemptMs: Histogram;
    readonly pending: number;
    /** Age of the oldest pending delivery in milliseconds; 0 for none. */
    readonly oldestMs: number;
  };
  readonly commits: CommitStats;
  readonly sandbox: SandboxStats;
  /** How many times one piece of work held the main thread for 250 ms or more, while the runtime was started. */
  readonly threadHolds: number;
}

/** What the sources and workflows of a user did in one minute. */
export interface RecentMinute {
  /** Its beginning, epoch ms. */
  readonly at: number;
  readonly runs: number;
  /** Runs that did not end well. */
  readonly failed: number;
  readonly emitted: number;
  readonly dropped: number;
  readonly computeMs: number;
  /** The longest wait of a run in the queue. */
  readonly queuedMs: number;
  /** The duration that half of the runs do not exceed, about. */
  readonly p50Ms: number;
  /** The duration that 95 % of the runs do not exceed, about. */
  readonly p95Ms: number;
}

/** What the sources and workflows of a user did in the last three hours of this process. Times are epoch ms. */
export interface RecentActivity {
  readonly now: number;
  /** When counting began. */
  readonly since: number;
  /** Only minutes with runs or hooks, oldest first. */
  readonly minutes: readonly RecentMinute[];
}

export interface RequestSpanOptions {
  /** The header `traceparent` of the request. */
  readonly traceparent?: string | undefined;
  /** Ids, numbers and fixed words; nothing that a component or a user wrote. */
  readonly attributes: { readonly [name: string]: string | number };
}

/** The span of a request that is being served. */
export interface RequestSpan {
  /** Does work with the span as the active one, so that runs and questions that it leads to are below it. */
  within<T>(work: () => T): T;
  /** `error`: a code; absent when it went well. */
  end(attributes: { readonly [name: string]: string | number }, error?: string): void;
}
