import type { AppOrigin } from "./app-events.ts";
import type {
  DedupeReason,
  ExecutionStatus,
  GuestError,
  HookName,
  Json,
  LogRecord,
  PropShape,
  SourceSettings,
  SourceType,
} from "./model.ts";
import type { ReceivedHead } from "./received-request.ts";
import type { ExecutionCause } from "./trigger-origin.ts";

/** A stored execution of `run` or of a hook, without its details. Every text is masked. */
export interface ExecutionSummary {
  /** 27 characters; the id of its trigger. */
  readonly id: string;
  /** A source or workflow. */
  readonly sourceId: string;
  readonly userId: string;
  readonly entry: "run" | HookName;
  readonly type: SourceType;
  readonly status: ExecutionStatus;
  /** True for a hook whose change was undone: nothing that it emitted and wrote remains. */
  readonly undone?: true;
  /** Absent when nothing inside of this runtime led to it. */
  readonly cause?: ExecutionCause | undefined;
  /** The execution that it repeats. */
  readonly replayOf?: string | undefined;
  /** When its trigger was accepted. */
  readonly queuedAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** From `startedAt` to the end of the call: `durationMs`, credentials and the wait for a thread. */
  readonly sandboxMs: number;
  /** Wall time of the component's code. */
  readonly durationMs: number;
  readonly computeMs: number;
  readonly memoryBytes: number;
  readonly emittedCount: number;
  /** Events that the dedupe strategy dropped. */
  readonly deduped: number;
  readonly logCount: number;
  readonly callCount: number;
  readonly dbChangeCount: number;
  /** Absent for none. */
  readonly dataStoreChangeCount?: number | undefined;
  /** Absent for a run that no request of a client started. */
  readonly http?: HttpSummary | undefined;
  /** The event of an app that started a run. */
  readonly appEvent?: AppOrigin | undefined;
  /** Of the first event that it emitted. */
  readonly summary?: string | undefined;
  readonly error?: Pick<GuestError, "code" | "name" | "message"> | undefined;
}

/** A request to an endpoint in a line. */
export interface HttpSummary {
  readonly method: string;
  /** Below the endpoint, with its query; the beginning of a long one. */
  readonly path: string;
  /** Sent to the client. */
  readonly status: number;
}

/** A listener of an event, and what it got. */
export interface EmitListener {
  readonly id: string;
  readonly kind: "source" | "workflow" | "webhook";
  /** The delivery to a webhook. */
  readonly deliveryId?: string;
  /** The run of a source or workflow that the event triggers. */
  readonly executionId?: string;
  /** Why the listener does not get the event. */
  readonly skipped?: "inactive" | "queue_full" | "hop_limit";
}

/** A payload with its size. */
export interface RecordedPayload {
  /** JSON text; null when it exceeds the bounds of the record. */
  readonly payload: string | null;
  readonly payloadBytes: number;
}

/** An event that an execution emitted. */
export interface RecordedEmit extends RecordedPayload {
  /** `<ms>-<seq>`. */
  readonly id: string;
  readonly name: string;
  readonly summary?: string;
  readonly dedupeId?: string;
  readonly ts?: number;
  readonly listeners: readonly EmitListener[];
  readonly listenersOmitted?: number;
}

/** An event that was not stored. `rolled_back`: the run failed and is transactional. */
export interface RecordedDrop extends RecordedPayload {
  readonly name: string;
  readonly summary?: string;
  readonly dedupeId?: string;
  readonly ts?: number;
  readonly reason: DedupeReason | "rolled_back";
  /** The id that the channel remembered, under `greatest` and `last`. */
  readonly remembered?: string;
}

/** The beginning of a body, as text if it is UTF-8. */
export interface RecordedBody {
  readonly text?: string;
  readonly base64?: string;
  readonly truncated?: true;
}

/** A request to an endpoint, as it was received, masked. */
export interface RecordedRequest extends ReceivedHead {
  /** The last headers exceed the bounds of the record. */
  readonly headersTruncated?: true;
  /** Absent for an empty one. Stored only beside an event that exceeds the bounds, else read from the event. */
  readonly body?: RecordedBody;
}

/** A request of a component. Times are in milliseconds after the start of the execution. */
export interface RecordedCall {
  readonly method: string;
  readonly url: string;
  /** Null without a response. */
  readonly status: number | null;
  /** Why there was no response. */
  readonly error?: string;
  readonly startedMs: number;
  /** Null if it had not ended when the execution ended. */
  readonly durationMs: number | null;
  readonly requestBytes: number;
  readonly responseBytes: number | null;
  readonly requestHeaders: { readonly [name: string]: Json };
  readonly responseHeaders: { readonly [name: string]: Json };
  readonly requestBody?: RecordedBody;
  readonly responseBody?: RecordedBody;
}

/** A change of a key of `$.service.db`; JSON texts, null for an absent key. */
export interface RecordedDbChange {
  readonly key: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The values exceed the bounds of the record, and are null. */
  readonly truncated?: true;
}

/** A change of a key of a data store. `before` is what was stored when the execution first wrote the key. */
export interface RecordedDataStoreChange extends RecordedDbChange {
  /** The data store. */
  readonly name: string;
}

/** The response of a component to a request. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: Json };
  readonly body: RecordedBody;
  readonly bodyBytes: number;
}

/** A step of a workflow. */
export interface RecordedStep {
  readonly name: string;
  readonly startedMs: number;
}

/** Counts of items that the bounds of the record leave out; absent for none. */
export interface Omitted {
  readonly emitted?: number;
  readonly dropped?: number;
  readonly logs?: number;
  readonly steps?: number;
  readonly calls?: number;
  readonly db?: number;
  readonly dataStores?: number;
}

/** The source as it was when an execution began. */
export interface RanWith {
  readonly componentId: string;
  /** SHA-256 hex of everything in the component's bundle. */
  readonly componentHash: string;
  /** A secret prop is `{"$secret": NAME}`, an app prop has the id of its account. Null when they exceed the bounds of the record. */
  readonly configuredProps: { readonly [prop: string]: Json } | null;
  /** The props that `additionalProps` had added. */
  readonly dynamicProps?: readonly PropShape[];
  readonly settings: SourceSettings;
}

/** What an execution received and did. Every text is masked and bounded. */
export interface ExecutionDetail {
  /** Absent in records of former versions. */
  readonly ranWith?: RanWith | undefined;
  /** JSON text; null for hooks, and for an event that exceeds the bounds of the record. */
  readonly event: string | null;
  readonly eventBytes: number;
  /** True when the event contained secrets, which are masked. */
  readonly eventMasked?: true | undefined;
  /** The HTTP prop that received the request. */
  readonly httpProp?: string | undefined;
  /** Absent for other triggers, and for a replay. */
  readonly request?: RecordedRequest | undefined;
  readonly hops: number;
  readonly ofError?: true | undefined;
  readonly emitted: readonly RecordedEmit[];
  readonly dropped: readonly RecordedDrop[];
  /** The last ones. */
  readonly logs: readonly LogRecord[];
  readonly steps: readonly RecordedStep[];
  readonly calls: readonly RecordedCall[];
  readonly db: readonly RecordedDbChange[];
  /** Absent for none. */
  readonly dataStores?: readonly RecordedDataStoreChange[] | undefined;
  readonly omitted: Omitted;
  readonly response: RecordedResponse | null;
  readonly exports?: Json | undefined;
  /** With the author's lines around the place where it was thrown, if they are known. */
  readonly error: (GuestError & { readonly frame?: string }) | null;
}

/** An execution as it is stored. */
export interface ExecutionRecord {
  readonly summary: ExecutionSummary;
  readonly detail: ExecutionDetail;
  /** Its size, about. */
  readonly bytes: number;
}
