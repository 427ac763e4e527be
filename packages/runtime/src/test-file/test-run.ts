import type { DedupeReason, DedupeStrategy, ExecutionStatus, Json, PropShape, SourceSettings } from "@x/model";

/** A request of a run, with its answer. */
export interface TestCall {
  readonly method: string;
  readonly url: string;
  /** Null for a request without an answer. */
  readonly status: number | null;
  readonly error?: string;
  readonly requestHeaders: { readonly [name: string]: string };
  readonly requestBody?: string;
  readonly responseHeaders: { readonly [name: string]: string };
  readonly responseBody?: string;
  /** The body of the answer is base64 of its bytes. */
  readonly isBase64?: boolean;
  /** The record has only the beginning of a body. */
  readonly isCut?: boolean;
}

/** An event that a run emitted, or that dedupe dropped. */
export interface TestEmit {
  /** Undefined: the record has only a part of it. */
  readonly payload: Json | undefined;
  readonly dedupeId?: string;
  readonly summary?: string;
  readonly ts?: number;
  readonly channel: string;
}

export interface TestDrop extends TestEmit {
  readonly reason: DedupeReason;
  readonly remembered?: string;
}

/** A change of the db; an absent value is an absent key. */
export interface TestDbChange {
  readonly key: string;
  readonly before?: Json;
  readonly after?: Json;
  readonly isCut?: boolean;
}

/** A change of a data store. */
export interface TestDataStoreChange extends TestDbChange {
  /** The data store. */
  readonly name: string;
}

/** What the record of a run has for a test. Times are epoch ms. */
export interface TestRun {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: ExecutionStatus;
  readonly event: Json;
  /** The HTTP prop that received the request. */
  readonly httpProp?: string;
  /** The names of the event of an app. */
  readonly appEventNames?: readonly string[];
  readonly emitted: readonly TestEmit[];
  readonly dropped: readonly TestDrop[];
  readonly calls: readonly TestCall[];
  readonly db: readonly TestDbChange[];
  readonly dataStores: readonly TestDataStoreChange[];
  readonly response?: {
    readonly status: number;
    readonly headers: { readonly [name: string]: Json };
    readonly body: string;
  };
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string };
  readonly steps: readonly string[];
  /** What a limit left out of the record, as sentences. */
  readonly omitted: readonly string[];
}

/** The source or workflow of a run. */
export interface TestSubject {
  readonly kind: "source" | "workflow";
  /** The name of the component. */
  readonly name: string;
  readonly dedupe?: DedupeStrategy;
  readonly props: readonly PropShape[];
  readonly configuredProps: { readonly [prop: string]: Json };
  /** Values of secret props that the db and the event may have. */
  readonly secrets: readonly string[];
  readonly settings: SourceSettings;
  /** Ids that are other ones in a test. */
  readonly ids: readonly string[];
  /** The keys of its endpoints. */
  readonly endpointKeys: readonly string[];
  /** The db before the run, as far as it is known. */
  readonly dbBefore: { readonly [key: string]: Json };
  /** By name; those that have keys. */
  readonly dataStoresBefore: { readonly [name: string]: { readonly [key: string]: Json } };
  /** `$auth` of each app, its values replaced by stand-ins. */
  readonly accounts: { readonly [app: string]: Json };
  /** The import of the component: `./orders.js`. */
  readonly file: string;
  /** What else a reader has to know, as sentences. */
  readonly notes: readonly string[];
}
