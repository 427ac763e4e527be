import type { ComponentPackage, PackageLock } from "./package-lock.ts";

/** The nouns of the runtime. Times are epoch milliseconds unless a name says otherwise; the REST edge converts. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** What an account is billed for: from its start up to, but not including, its end. Invocations count by UTC days. */
export interface BillingPeriod {
  readonly periodStart: number;
  readonly periodEnd: number;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly apiKey: string;
  /** Of a paid account only. */
  readonly billing?: BillingPeriod;
  readonly createdAt: number;
}

/** A user with the counters of the current UTC day. */
export interface UserView {
  readonly user: User;
  readonly dailyComputeTimeQuota: number;
  readonly dailyComputeTimeUsed: number;
  readonly dailyInvocationsQuota: number;
  readonly dailyInvocationsUsed: number;
  /** Of a paid account only. */
  readonly billingPeriodInvocations?: number;
}

export type DedupeStrategy = "unique" | "greatest" | "last";
export type HookName = "deploy" | "activate" | "deactivate";
/** A change of a source by what becomes of it; an update keeps it active. */
export type TransitionKind = "create" | "update" | "pause" | "resume" | "delete";
/** One hook of such a change: of the source as it was, or as it will be. */
export interface HookStep {
  readonly hook: HookName;
  readonly of: "before" | "after";
}
export type SourceType = "TIMER" | "HTTP" | "MANUAL" | "SUBSCRIPTION" | "HOOK";

/** One prop of a component after propDefinition is merged and short forms are expanded. */
export interface PropShape {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly description?: string;
  readonly optional?: boolean;
  readonly default?: Json;
  readonly static?: Json;
  readonly options?: Json[];
  readonly min?: number;
  readonly max?: number;
  readonly secret?: boolean;
  readonly customResponse?: boolean;
  readonly app?: string;
  readonly remoteOptions?: boolean;
  readonly reloadProps?: boolean;
  readonly withLabel?: boolean;
  readonly useQuery?: boolean;
  readonly [extra: string]: Json | undefined;
}

/** Something that a component declares and nothing reads, or that is read otherwise than it looks. Refuses nothing. */
export interface ComponentWarning {
  /** Name of the rule, as `x explain` knows it. */
  readonly rule: string;
  /** JSON pointer into the component. */
  readonly path: string;
  /** What, and what to write. */
  readonly message: string;
  /** Where it is in the author's files, when that is known; lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What a component declares, read from the evaluated module. */
export interface ComponentShape {
  readonly name: string;
  readonly version: string;
  readonly key?: string;
  readonly description?: string;
  readonly dedupe?: DedupeStrategy;
  /** A throw drops the run's emits and db writes. */
  readonly transactional?: boolean;
  readonly props: readonly PropShape[];
  readonly hooks: readonly HookName[];
  /** Present when the module is a workflow. The props of its steps are among `props`, as `<step>.<prop>`. */
  readonly workflow?: WorkflowShape;
  /** Present when its run gets `{ steps, $ }`, as a step of a workflow does. */
  readonly action?: true;
  /** It has a method that adds props to those it declares. */
  readonly additionalProps?: boolean;
  /** Absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

/** What a workflow declares beside its props. */
export interface WorkflowShape {
  /** Names of the steps in their order; empty when a function of the embedder runs in their place. */
  readonly steps: readonly string[];
  /** The events that trigger it, beside those of other subscriptions. */
  readonly trigger?: { readonly emitterId: string; readonly eventName: string };
}

/** The texts of a component, which are large: a store keeps them apart from the record. */
export interface ComponentTexts {
  /** The code as submitted, byte for byte; for a file, the text of the entry file. */
  readonly code: string;
  /** CommonJS text that the sandbox evaluates. */
  readonly bundle: string;
  /** Source map (JSON text) from `bundle` to the author's files. */
  readonly sourceMap: string;
}

/** A saved component, without its texts. New code is a new id; only `componentUrl` may change. */
export interface Component {
  readonly id: string;
  readonly userId: string;
  /** The hash of each text, by which the store has it; that of the bundle is the name of its image, too. */
  readonly texts: { readonly [text in keyof ComponentTexts]: string };
  /** SHA-256 hex of the UTF-8 code. */
  readonly codeHash: string;
  /** SHA-256 hex over everything that went into the bundle; equals `codeHash` when there is one file. */
  readonly contentHash: string;
  readonly componentUrl: string | null;
  readonly shape: ComponentShape;
  /** Every npm package that went into it; absent when there is none. */
  readonly packages?: readonly ComponentPackage[];
  /** Keeps the versions over later updates; absent without packages from a registry. */
  readonly packageLock?: PackageLock;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A timer as it is stored and shown: exactly one of `cron` and a positive `interval_seconds` is set. */
export interface TimerValue {
  readonly cron: string | null;
  readonly interval_seconds: number;
  readonly timezone?: string;
}

/** A deployed component. */
export interface Source {
  readonly id: string;
  readonly userId: string;
  readonly componentId: string;
  /** `d_` id, new on every deploy and update. */
  readonly deploymentId: string;
  readonly name: string;
  readonly nameSlug: string;
  readonly active: boolean;
  /** Normalised values: timers as `TimerValue`; HTTP and db props are absent (their state is not configuration). */
  readonly configuredProps: { readonly [prop: string]: Json };
  /** Props that `additionalProps` gave beside those of the component, or instead of them; see `effectiveComponent`. */
  readonly dynamicProps?: readonly PropShape[];
  /** Endpoint key of each HTTP interface prop, by prop name. */
  readonly endpoints: { readonly [prop: string]: string };
  readonly emitOnDeploy: boolean;
  readonly settings: SourceSettings;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Per-source overrides of the runtime's defaults. */
export interface SourceSettings {
  /** Longest run, in milliseconds; default `limits.runTimeoutMs`, 300,000. */
  readonly runTimeoutMs?: number;
  /** Memory of one run, in bytes, at most 4 GiB; default `limits.memoryBytes`, 256 MiB. */
  readonly memoryBytes?: number;
  /** Ids that `dedupe: "unique"` remembers per channel; default `limits.dedupeCacheSize`, 100. */
  readonly dedupeCacheSize?: number;
  /** Keep module state between runs instead of a fresh realm per invocation. */
  readonly warm?: boolean;
  /** A throw drops the run's emits and db writes. Default: what the component says. */
  readonly transactional?: boolean;
}

/** One durable reason to call `run`: a row of the inbox. Its id is the execution id. */
export interface Trigger {
  readonly id: string;
  readonly sourceId: string;
  readonly type: SourceType;
  /** JSON text given to `run`; of a request with a body, all of it but the body. */
  readonly event: string;
  /** Body of a request as it was received; `run` gets it parsed. Absent: the event is whole. */
  readonly body?: Uint8Array;
  /** The HTTP interface prop that fired, for `respond`. */
  readonly httpProp?: string;
  /** Position in the lane; rows of a source run in this order. */
  readonly at: number;
  /** How often the process died while this trigger ran. */
  readonly crashes: number;
  /** Deliveries in the chain that led here. */
  readonly hops: number;
  /** An `$errors` event led here: errors of this run trigger nobody. */
  readonly ofError?: boolean;
}

/** A trigger that waits, without its event: that is read from the store when the run begins. */
export interface TriggerHead extends Omit<Trigger, "event" | "body"> {
  /** Owner of the source; empty when the source is gone. */
  readonly userId: string;
  /** Size of event and body in the store; of an event that is stored once for several triggers, a share. */
  readonly bytes: number;
  /** Size of the whole event; absent: `bytes`. */
  readonly wholeBytes?: number;
}

/** A trigger whose run begins: with its whole event. */
export interface LoadedTrigger extends TriggerHead {
  readonly event: string;
}

/** What led to an event, when it was another one. */
export interface Cause {
  readonly hops: number;
  readonly ofError: boolean;
}

/** Credentials of an app that a user connected. */
export interface Account {
  /** `apn_` id: the `authProvisionId` of app props. */
  readonly id: string;
  readonly userId: string;
  /** Slug of the app. */
  readonly app: string;
  readonly name: string | null;
  /** What components read as `$auth`. */
  readonly auth: { readonly [field: string]: Json };
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The streams of an emitter that are stored apart. Named channels live in `emits`. */
export type StreamKind = "emits" | "$errors" | "$logs";

/** `<ms>-<seq>`, compared as numbers. */
export interface EventId {
  readonly ms: number;
  readonly seq: number;
}

export interface StoredEvent {
  readonly emitterId: string;
  readonly stream: StreamKind;
  readonly id: EventId;
  /** Sortable 27-character id of the emit. */
  readonly emitId: string;
  /** Channel: empty for the default stream. */
  readonly name: string;
  /** JSON text of the payload. */
  readonly payload: string;
  /** Of a payload that was left out, because the page asked for shorter ones. */
  readonly payloadBytes?: number;
  /** The author's emit id (dedupe id) as text, when one was given. */
  readonly dedupeId?: string;
  readonly summary?: string;
  /** The author's `ts`, epoch ms. */
  readonly ts?: number;
}

/** Why an emit was dropped. */
export type DedupeReason = "duplicate" | "repeated_in_run" | "not_greater" | "not_after_last" | "invalid_id";

/** An emit that dedupe dropped. */
export interface DroppedEmit {
  /** JSON text of the payload. */
  readonly payload: string;
  readonly id?: string;
  readonly name?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly reason: DedupeReason;
  /** What the channel remembered before the run, where one id is remembered: under `greatest` and `last`. */
  readonly remembered?: string;
}

/** State of one channel's dedupe cache. `ids` oldest first for `unique`; one id for the others. */
export interface DedupeState {
  readonly strategy: DedupeStrategy;
  readonly ids: readonly string[];
}

/** Everything a lane needs about a source beside its record, read in one go. */
export interface SourceState {
  readonly dedupe: { readonly [channel: string]: DedupeState };
  /** The last id given out per stream; survives deletion and trimming of events. */
  readonly heads: { readonly [stream in StreamKind]?: EventId };
}

export interface Page {
  /** Most items; REST takes 1 to 100. */
  readonly limit: number;
  /** Item id: items after it in list order. */
  readonly after?: string;
  /** Item id: items before it in list order. */
  readonly before?: string;
  /** The page ends before its records are longer than this together; its first item it has in any case. */
  readonly bytes?: number;
}

export interface Paged<T> {
  readonly totalCount: number;
  readonly items: readonly T[];
}

/** What a component threw, or the limit it hit. Plain data. */
export interface GuestError {
  /** Ours: `component_threw`, `sandbox_timeout`, `sandbox_out_of_memory`, `no_response`, … */
  readonly code: string;
  /** The thrown error's name. */
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** What may help; the component itself never sees it. */
  readonly hint?: string;
}

export type ExecutionStatus = "ok" | "error" | "timeout" | "out_of_memory";

export interface LogRecord {
  /** `console.log`, `console.error`, …; `err` for errors; `hook.deploy` context is in `context`. */
  readonly k: string;
  readonly ts: number;
  readonly msg?: string;
  readonly data?: Json[];
  readonly err?: {
    readonly name: string;
    readonly message: string;
    readonly stack: string;
    readonly hint?: string;
  };
  readonly execution_id: string;
  readonly context?: string;
}

/** Answer to run-now, and what an embedder's `invoke` resolves to. */
export interface Execution {
  readonly executionId: string;
  readonly status: ExecutionStatus | "queued";
  readonly durationMs: number;
  /** Time spent executing the component's code. */
  readonly computeMs: number;
  /** Size of the sandbox's memory at the end. */
  readonly memoryBytes: number;
  readonly emitted: readonly { readonly id: string; readonly summary?: string }[];
  readonly deduped: number;
  readonly response: Json | null;
  /** What an action returned and exported, or each step of a workflow by its name; absent where it is too large to be told. */
  readonly exports?: Json;
  readonly logs: readonly LogRecord[];
  readonly error: GuestError | null;
}

/** A request that a component made. */
export interface ObservedCall {
  readonly method: string;
  readonly url: string;
  /** Of the answer; absent when there was none. */
  readonly status?: number;
  /** Why there was none; absent too when the component did not wait for the answer. */
  readonly error?: string;
}

/** One call of a component's code that has ended, with what it is about to leave behind. */
export interface ObservedExecution {
  readonly source: Source;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  /** JSON text that it was given; empty for hooks. */
  readonly event: string;
  /** When its trigger was accepted. */
  readonly at: number;
  readonly execution: Execution;
  /** Events of the `emits` stream, in their order. */
  readonly emitted: readonly StoredEvent[];
  readonly dropped: readonly DroppedEmit[];
  /** What it wrote to its db, as JSON text; undefined deletes. */
  readonly db: ReadonlyMap<string, string | undefined>;
  /** Steps of a workflow that began, in their order; the last of a run that failed is the one that threw. */
  readonly steps: readonly string[];
  /** Its requests, in the order in which they began. */
  readonly calls: readonly ObservedCall[];
}
