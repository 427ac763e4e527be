import type { ComponentShape, ExecutionStatus, GuestError, Json } from "@x/model";

/** Code ready for the sandbox. */
export interface Bundle {
  /** Identity of the text: SHA-256 hex. */
  readonly hash: string;
  /** CommonJS text. */
  readonly code: string;
}

export interface CallLimits {
  readonly timeoutMs: number;
  /** Hard cap of the sandbox's whole memory. */
  readonly memoryBytes: number;
}

export interface DescribeLimits extends CallLimits {
  /** False: makes no image, because the module may never run. Default: true. */
  readonly image?: boolean;
  /** The user whose turn it takes; absent: a user without a name. */
  readonly userId?: string;
}

/** What the component finds on `this`, as plain data. */
export interface SelfData {
  /** Configured values by prop name, ready to be read as `this.<prop>`. */
  readonly props: { readonly [name: string]: Json };
  /** `this.<prop>.endpoint` of each HTTP interface prop. */
  readonly http: { readonly [prop: string]: { readonly endpoint: string; readonly customResponse: boolean } };
  /** The interface object of each timer prop. */
  readonly timers: { readonly [prop: string]: Json };
  /** The interface object of each apphook prop. */
  readonly appHooks?: { readonly [prop: string]: Json };
  /** Names of `$.service.db` props. */
  readonly db: readonly string[];
  /** The name of the data store of each `data_store` prop. */
  readonly dataStores?: { readonly [prop: string]: string };
  /** `$auth` of each app prop. */
  readonly auth: { readonly [prop: string]: Json };
}

/** `options`, `additionalProps` and `eventNames` return a value that is used; the others act. */
export type Entry = "run" | "deploy" | "activate" | "deactivate" | "options" | "additionalProps" | "eventNames";

export interface SandboxCall {
  readonly sourceId: string;
  /** Owner of the source, whose turn it takes; absent: a user without a name. */
  readonly userId?: string;
  readonly bundle: Bundle;
  readonly entry: Entry;
  readonly self: SelfData;
  /** The source's db: key -> JSON text. */
  readonly db: ReadonlyMap<string, string>;
  /** JSON text of the argument: the event of `run`, or the input of `options` and `additionalProps`. */
  readonly event: string;
  readonly dedupe: ComponentShape["dedupe"];
  /** False: `$emit` does nothing (`emit_on_deploy: false`). "error": `$emit` throws (`deactivate` and `options`). */
  readonly emit: boolean | "error";
  /** The HTTP prop whose request started this run; only it may respond. */
  readonly httpProp?: string;
  readonly limits: CallLimits;
  readonly warm: boolean;
  /** Integers beyond 2^53 in JSON bodies are read as texts. Default: false. */
  readonly exactIntegers?: boolean;
  /** Time of the component's clock during the call, in epoch ms; absent: the system's time. */
  readonly now?: number;
  /** While the call waits only for its own timers, skips up to so many ms of these waits. Default: 0. */
  readonly maxSkippedMs?: number;
  /** The bundle is a workflow, whose `run` executes all steps in order. */
  readonly workflow?: WorkflowCall;
}

export interface WorkflowCall {
  /** `$.context`. */
  readonly context: Json;
}

/** One `$emit`, as it reached the host. */
export interface GuestEmit {
  /** JSON text; `null` when the event was undefined. */
  readonly payload: string;
  readonly id?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly name?: string;
  /** Host time of the call, epoch ms. */
  readonly at: number;
}

export interface GuestLog {
  readonly level: "log" | "info" | "warn" | "error" | "debug";
  readonly msg: string;
  /** JSON text of the argument list. */
  readonly data: string;
  readonly at: number;
}

export interface GuestResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

export interface GuestRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
  readonly redirect: "follow" | "manual" | "error";
  /** As Node's `http` sends it: adds no header, and does not decompress the body of the response. */
  readonly verbatim?: boolean;
}

export interface GuestReply {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly redirected: boolean;
  /** Why the connection broke before the end of the body; `body` is what was received. */
  readonly cut?: Error;
}

/** Why a request of a component failed: the fields of its error. */
export interface RequestFailure {
  readonly message: string;
  /** The system's code (`ENOTFOUND`), else the runtime's (`address_forbidden`). */
  readonly code: string;
  /** Further fields of Node's error: `errno`, `syscall`, `hostname`, … */
  readonly [field: string]: unknown;
}

/** Counts bytes of a response before they are held. The returned promise, if any, has to be awaited. */
export type HoldBytes = (bytes: number) => Promise<void> | undefined;

/** A call of a data store. `set` has a value as JSON text; `get`, `has`, `set` and `delete` have a key. */
export interface DataStoreCall {
  readonly name: string;
  readonly op: "get" | "has" | "set" | "delete" | "keys" | "entries" | "size";
  readonly key: string;
  readonly value: string;
}

/** A value of the db that another call has written, as JSON text; without a text it has deleted the key. */
export type DbChange = readonly [key: string, text?: string];

/** Receives the effects of a call. They arrive as they happen, also from a call that fails later. */
export interface CallHost {
  /** Epoch ms for the times of emits and logs; absent: the system's time at the call. */
  readonly now?: () => number;
  /** The call starts over in another thread; its effects so far have to be discarded. */
  restart(): void;
  emit(emit: GuestEmit): void;
  /** `value` is JSON text; undefined deletes. */
  dbSet(key: string, value: string | undefined): void;
  log(log: GuestLog): void;
  /** A step of a workflow begins. */
  step(name: string): void;
  respond(response: GuestResponse): void;
  /** Called once: `tell` gives the component what other calls write to its db meanwhile, but for keys that it has written. */
  followDb?(tell: (changes: readonly DbChange[]) => void): void;
  /** Answers in JSON text; empty for undefined. Rejects with an error whose name and message the component may see. */
  dataStore?(call: DataStoreCall): Promise<string>;
  /** Sends a request. Rejects with an error whose message the component may see. */
  fetch(request: GuestRequest, signal: AbortSignal, hold?: HoldBytes): Promise<GuestReply>;
}

/** Work that an entry did not await before it returned. */
export interface LeftItem {
  readonly kind: "timer" | "interval" | "request" | "emit" | "db" | "data_store" | "respond";
  /** The delay of a timer, method and URL of a request, or the key of a write to a db or data store. */
  readonly detail: string;
  /** Stack of the call that began it; positions are those of the bundle. */
  readonly stack: string;
}

/** All work that an entry did not await. */
export interface LeftWork {
  readonly count: number;
  /** The first items, at most 20. */
  readonly items: readonly LeftItem[];
}

/** What an entry threw. */
export interface ThrownError extends GuestError {
  /** Stacks of the asynchronous calls that led there, the latest first, each after an empty line; positions of the bundle. */
  readonly origin?: string;
}

export interface Outcome {
  readonly status: ExecutionStatus;
  /** The return value as JSON text, within the limits of an emit; absent for undefined. */
  readonly result?: string;
  /** Stack positions are those of the bundle; the caller maps them. */
  readonly error?: ThrownError;
  /** Wall time of the call, in ms. */
  readonly durationMs: number;
  /** Time spent executing guest code, in ms. */
  readonly computeMs: number;
  /** Size of the sandbox's memory at the end. */
  readonly memoryBytes: number;
  /** Work that the entry did not await; absent when there is none. */
  readonly left?: LeftWork;
  /** How many log records did not reach the host; the last ones did. */
  readonly droppedLogs?: number;
}

/** The description of a module as JSON text (functions as `{"$function": true}`), or its error. */
export type Description =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: GuestError };

/** Runs component code. Methods reject only for bugs of the host, never because of a component. */
export interface Sandbox {
  /** Starts the threads, which otherwise start with the first call. */
  warm(): void;
  /** Evaluates the module without any capability and describes what it exports. */
  describe(bundle: Bundle, limits: DescribeLimits): Promise<Description>;
  /** Runs an entry. Ends with the error code `closed` when the signal aborts. */
  call(call: SandboxCall, host: CallHost, signal?: AbortSignal): Promise<Outcome>;
  /** Counts since it was created. */
  stats(): SandboxStats;
  /** Stops every call and thread. */
  close(): Promise<void>;
}

/** The calls and threads of an engine; runtimes that share an engine have the same ones. */
export interface SandboxStats {
  readonly calls: number;
  /** Calls for which no memory image of the component's module existed: it was evaluated anew. */
  readonly imageMisses: number;
  /** Threads now. */
  readonly threads: number;
  readonly threadStarts: number;
  /** Threads that were ended with a component inside, or that ended under one. */
  readonly threadKills: number;
}
