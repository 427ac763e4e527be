import type { SourceAppEvents } from "./app-events.ts";
import type { AccountOAuth } from "./account-app.ts";
import type { ComponentPackage, PackageLock } from "./package-lock.ts";
import type { LoadedRequest } from "./received-request.ts";
import type { TriggerOrigin } from "./trigger-origin.ts";

/** The nouns of the runtime. Times are epoch milliseconds unless a name says otherwise; the REST edge converts. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The billing period of an account; the end is exclusive. Invocations count by UTC days. */
export interface BillingPeriod {
  readonly periodStart: number;
  readonly periodEnd: number;
}

export interface User {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly apiKey: string;
  /** Only for a paid account. */
  readonly billing?: BillingPeriod;
  readonly createdAt: number;
}

export type DedupeStrategy = "unique" | "greatest" | "last";
export type HookName = "deploy" | "activate" | "deactivate";
/** The kind of a change of a source. An update keeps it active. */
export type TransitionKind = "create" | "update" | "pause" | "resume" | "delete";
/** One hook of a change, of the source before or after it. */
export interface HookStep {
  readonly hook: HookName;
  readonly of: "before" | "after";
}
export type SourceType = "TIMER" | "HTTP" | "MANUAL" | "SUBSCRIPTION" | "HOOK" | "APP";

/** One prop of a component, with merged propDefinition and expanded short forms. */
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

/** A declaration of a component that has no effect, or another effect than it seems. It does not prevent a deploy. */
export interface ComponentWarning {
  /** Name of the rule, as `x explain` knows it. */
  readonly rule: string;
  /** JSON pointer into the component. */
  readonly path: string;
  /** The problem and its correction. */
  readonly message: string;
  /** Location in the author's files, if known. Lines and columns count from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** Of `stored-value-kept`: the value that an update kept (of a secret, its marker), and the new default. */
  readonly stored?: Json;
  readonly default?: Json;
}

/** The declarations of a component, from its evaluated module. */
export interface ComponentShape {
  readonly name: string;
  readonly version: string;
  readonly key?: string;
  readonly description?: string;
  readonly dedupe?: DedupeStrategy;
  /** A throw drops the run's emits and db writes. */
  readonly transactional?: boolean;
  /** Integers beyond 2^53 in JSON bodies are read as texts. */
  readonly exactIntegers?: boolean;
  readonly props: readonly PropShape[];
  readonly hooks: readonly HookName[];
  /** Present when the module is a workflow. The props of its steps are among `props`, as `<step>.<prop>`. */
  readonly workflow?: WorkflowShape;
  /** Present when its run receives `{ steps, $ }`, like a step of a workflow. */
  readonly action?: true;
  /** An event as an example: the body of test requests. Only of components with an HTTP interface. */
  readonly sampleEmit?: Json;
  /** What its events look like, as far as the component says so. */
  readonly emits?: EventSchema;
  /** True if it has a method that adds props. */
  readonly additionalProps?: boolean;
  /** Absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

/** What the events of a component look like. */
export interface EventSchema {
  /** JSON Schema, draft 7. */
  readonly schema: { readonly [keyword: string]: Json };
  /** Declared in `emits`, or inferred from the example of the component. */
  readonly from: "emits" | "sampleEmit";
}

/** The declarations of a workflow, without its props. */
export interface WorkflowShape {
  /** Names of the steps in order; empty when a function of the embedder runs instead. */
  readonly steps: readonly string[];
  /** The events that trigger it, in addition to those of subscriptions. */
  readonly trigger?: { readonly emitterId: string; readonly eventName: string };
}

/** The texts of a component. A store keeps them apart from the record, because they are large. */
export interface ComponentTexts {
  /** The code as submitted, byte for byte; for a file, the text of the entry file. */
  readonly code: string;
  /** CommonJS text that the sandbox evaluates. */
  readonly bundle: string;
  /** Source map (JSON text) from `bundle` to the author's files. */
  readonly sourceMap: string;
}

/** A saved component without its texts. New code gets a new id; only `componentUrl` may change. */
export interface Component {
  readonly id: string;
  readonly userId: string;
  /** The hash of each text, its key in the store. The hash of the bundle also names its image. */
  readonly texts: { readonly [text in keyof ComponentTexts]: string };
  /** SHA-256 hex of the UTF-8 code. */
  readonly codeHash: string;
  /** SHA-256 hex of everything in the bundle; equals `codeHash` for a single file. */
  readonly contentHash: string;
  readonly componentUrl: string | null;
  readonly shape: ComponentShape;
  /** All its npm packages; absent for none. */
  readonly packages?: readonly ComponentPackage[];
  /** Preserves the versions across updates; absent without packages from a registry. */
  readonly packageLock?: PackageLock;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A timer as stored and shown. Exactly one of `cron` and a positive `interval_seconds` is set. */
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
  /** Normalised values: timers are `TimerValue`; HTTP and db props are absent, because their state is not configuration. */
  readonly configuredProps: { readonly [prop: string]: Json };
  /** Props from `additionalProps`, which add to those of the component or replace them; see `effectiveComponent`. */
  readonly dynamicProps?: readonly PropShape[];
  /** Endpoint key of each HTTP interface prop, by prop name. */
  readonly endpoints: { readonly [prop: string]: string };
  /** The base of the endpoint URLs that the last `activate` could read; absent when the component has no such hook or no endpoint. */
  readonly endpointBase?: string;
  /** What each apphook prop listens to, by prop name. */
  readonly appEvents?: { readonly [prop: string]: SourceAppEvents };
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
  /** A throw drops the run's emits and db writes. Default: the setting of the component. */
  readonly transactional?: boolean;
  /** Integers beyond 2^53 in JSON bodies are read as texts. Default: the setting of the component. */
  readonly exactIntegers?: boolean;
  /** Stored executions; 0: none. Default `limits.executionsPerSource`, 100. */
  readonly executions?: number;
}

/** One durable reason to call `run`: a row of the inbox. Its id is the execution id. */
export interface Trigger {
  readonly id: string;
  readonly sourceId: string;
  readonly type: SourceType;
  /** JSON text for `run`; for a request, without its body. */
  readonly event: string;
  /** Body of a request as received; `run` receives it parsed. Absent if the event is complete. */
  readonly body?: Uint8Array;
  /** JSON text of the `ReceivedHead` of a request whose execution will be stored. */
  readonly received?: string;
  /** The HTTP interface prop that received the request, for `respond`. */
  readonly httpProp?: string;
  /** Time of acceptance; triggers of a source run in this order. */
  readonly at: number;
  /** How many times the process ended while this trigger ran. */
  readonly crashes: number;
  /** Number of deliveries in the chain that led here. */
  readonly hops: number;
  /** True if an `$errors` event led here: errors of this run trigger no listeners. */
  readonly ofError?: boolean;
  readonly origin?: TriggerOrigin;
}

/** A waiting trigger without its event, which is read from the store when the run begins. */
export interface TriggerHead extends Omit<Trigger, "event" | "body" | "received"> {
  /** Owner of the source; empty when the source is gone. */
  readonly userId: string;
  /** Size of event, body and `received` in the store. For an event that several triggers share: this trigger's share. */
  readonly bytes: number;
  /** Size of the whole event. Default: `bytes`. */
  readonly wholeBytes?: number;
}

/** A trigger with its whole event, at the start of its run. */
export interface LoadedTrigger extends TriggerHead {
  readonly event: string;
  /** What the event could not show of a request; its run logs them. */
  readonly warnings?: readonly string[];
  readonly received?: LoadedRequest;
}

/** The cause of an event that another event led to. */
export interface Cause {
  readonly hops: number;
  readonly ofError: boolean;
  /** The span of the run that emits the event, as a W3C traceparent. */
  readonly trace?: string | undefined;
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
  /** Of an account with the tokens of an authorization server. */
  readonly oauth?: AccountOAuth;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The streams of an emitter. Named channels belong to `emits`. */
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
  /** Size of a payload that the page leaves out, because it exceeds the limit of the page. */
  readonly payloadBytes?: number;
  /** The author's emit id (dedupe id) as text, if given. */
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
  /** The id that the channel remembered before the run, under `greatest` and `last`. */
  readonly remembered?: string;
}

/** State of one channel's dedupe cache. `ids`: oldest first for `unique`, one id for the others. */
export interface DedupeState {
  readonly strategy: DedupeStrategy;
  readonly ids: readonly string[];
}

/** The state of a source beside its record. */
export interface SourceState {
  readonly dedupe: { readonly [channel: string]: DedupeState };
  /** The last id of each stream; it survives deletion and trimming of events. */
  readonly heads: { readonly [stream in StreamKind]?: EventId };
}

export interface Page {
  /** Most items; REST takes 1 to 100. */
  readonly limit: number;
  /** Item id: items after it in list order. */
  readonly after?: string;
  /** Item id: items before it in list order. */
  readonly before?: string;
  /** Most bytes of the records together; a page has at least one item. */
  readonly bytes?: number;
}

export interface Paged<T> {
  readonly totalCount: number;
  readonly items: readonly T[];
}

/** An error of a component, or the limit that it exceeded. Plain data. */
export interface GuestError {
  /** A code of the runtime, such as `component_threw` or `sandbox_timeout`. */
  readonly code: string;
  /** The thrown error's name. */
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Advice for the author; the component does not see it. */
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

/** The result of run-now and of an embedder's `invoke`. */
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
  /** Return value and exports of an action, or of each step of a workflow by its name; absent if too large. */
  readonly exports?: Json;
  readonly logs: readonly LogRecord[];
  readonly error: GuestError | null;
}
