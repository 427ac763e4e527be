import type { ComponentShape, ExecutionStatus, GuestError, Json } from "../model/model.ts";

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
  /** False: no image is kept, for the module may never run. */
  readonly image?: boolean;
  /** Whose turn it takes; absent: nobody's in particular. */
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
  /** Names of `$.service.db` props. */
  readonly db: readonly string[];
  /** `$auth` of each app prop. */
  readonly auth: { readonly [prop: string]: Json };
}

/** `options` and `additionalProps` answer with a value; the others act. */
export type Entry = "run" | "deploy" | "activate" | "deactivate" | "options" | "additionalProps";

export interface SandboxCall {
  readonly sourceId: string;
  /** Owner of the source, whose turn it takes; absent: nobody's in particular. */
  readonly userId?: string;
  readonly bundle: Bundle;
  readonly entry: Entry;
  readonly self: SelfData;
  /** The source's db: key -> JSON text. */
  readonly db: ReadonlyMap<string, string>;
  /** JSON text of the event: what `run` is given, or what `options` and `additionalProps` are asked. */
  readonly event: string;
  readonly dedupe: ComponentShape["dedupe"];
  /** False: `$emit` does nothing (emit_on_deploy false); "error": `$emit` throws (deactivate, G56; options). */
  readonly emit: boolean | "error";
  /** The HTTP prop that fired this run, if any; only it may respond. */
  readonly httpProp?: string;
  readonly limits: CallLimits;
  readonly warm: boolean;
  /** Epoch ms that the component's clock shows during the call; absent: the system's time. */
  readonly now?: number;
  /** While it waits for nothing but its own timers, the next of them is due at once, so many ms in all. */
  readonly mostSkippedMs?: number;
  /** The bundle is a workflow: `run` is all its steps, one after another. */
  readonly workflow?: WorkflowCall;
}

export interface WorkflowCall {
  /** `$.context`: what the run is told about itself. */
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
  /** As Node's `http` sends: no header is added, and the body of the answer comes as it was sent. */
  readonly verbatim?: boolean;
}

export interface GuestReply {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly redirected: boolean;
  /** Why the connection broke before the end of the body, which is what came before. */
  readonly cut?: Error;
}

/** Why a request of a component failed: what its error says. */
export interface RequestFailure {
  readonly message: string;
  /** The system's (`ENOTFOUND`), else the runtime's own (`address_forbidden`). */
  readonly code: string;
  /** What Node's error has beside: `errno`, `syscall`, `hostname`, … */
  readonly [field: string]: unknown;
}

/** Counts bytes of an answer before they are kept; when there are too many, they have to wait. */
export type HoldBytes = (bytes: number) => Promise<void> | undefined;

/** What a call may do. Effects arrive when they are made, also from a call that never ends well (S24). */
export interface CallHost {
  /** Epoch ms for the times of emits and logs; absent: the system's time at the call. */
  readonly now?: () => number;
  /** The call starts over in another thread: everything it did so far did not happen. */
  restart(): void;
  emit(emit: GuestEmit): void;
  /** `value` is JSON text; undefined deletes. */
  dbSet(key: string, value: string | undefined): void;
  log(log: GuestLog): void;
  /** A step of a workflow begins. */
  step(name: string): void;
  respond(response: GuestResponse): void;
  /** Rejects with an error whose message may be shown to the component. */
  fetch(request: GuestRequest, signal: AbortSignal, hold?: HoldBytes): Promise<GuestReply>;
}

/** One thing that an entry left behind when it returned (S37). */
export interface LeftItem {
  readonly kind: "timer" | "interval" | "request" | "emit" | "db" | "respond";
  /** Of a timer its time, of a request its method and URL, of a db write its key. */
  readonly detail: string;
  /** Of the call that began it; positions are those of the bundle. */
  readonly stack: string;
}

/** All of them. */
export interface LeftWork {
  readonly count: number;
  /** The first of them. */
  readonly told: readonly LeftItem[];
}

/** What an entry threw. */
export interface ThrownError extends GuestError {
  /** Stacks of the calls that led there, the latest first, each after an empty line; positions are those of the bundle. */
  readonly origin?: string;
}

export interface Outcome {
  readonly status: ExecutionStatus;
  /** What the entry answered, as JSON text within the limits of an emit; absent for entries that act, and for undefined. */
  readonly result?: string;
  /** Stack positions are those of the bundle; the caller maps them. */
  readonly error?: ThrownError;
  /** Wall time of the call. */
  readonly durationMs: number;
  /** Time spent executing guest code. */
  readonly computeMs: number;
  /** Size of the sandbox's memory at the end. */
  readonly memoryBytes: number;
  /** Work that nobody awaited; absent when there is none. */
  readonly left?: LeftWork;
  /** Log records that did not reach the host, before the last of them. */
  readonly droppedLogs?: number;
}

/** What evaluating the module showed: JSON text of its description (functions as `{"$function": true}`), or its error. */
export type Description =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly error: GuestError };

/** Runs component code. Nothing a guest does can make a method reject; host bugs do. */
export interface Sandbox {
  /** Starts its threads now; otherwise they start with the first call. */
  warm(): void;
  /** Evaluates the module without any capability and describes what it exports. */
  describe(bundle: Bundle, limits: DescribeLimits): Promise<Description>;
  /** Ends with the code `closed` when the signal aborts. */
  call(call: SandboxCall, host: CallHost, signal?: AbortSignal): Promise<Outcome>;
  /** Stops every call and thread. */
  close(): Promise<void>;
}
