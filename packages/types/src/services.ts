/** Data that survives JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** `$.service.db`: values that stay between runs. Everything is synchronous. */
export interface Database {
  /** The stored value, undefined when there is none. Name its type when you read it: `get<string>("cursor")`. */
  get<T = unknown>(key: string | number): T | undefined;
  /** Stores JSON data; undefined removes the key. */
  set(key: string | number, value: unknown): void;
  /** True when there was such a key. */
  delete(key: string | number): boolean;
  has(key: string | number): boolean;
  /** Keys in alphabetical order, only those that begin with `prefix`. */
  keys(prefix?: string): string[];
}

/** The answer of a component with `customResponse: true`. An object becomes JSON. */
export interface HttpResponse {
  /** 100 to 599. */
  status: number;
  headers?: { [name: string]: string | readonly string[] };
  body?: string | Uint8Array | object;
}

/** `$.interface.http`. */
export interface HttpInterface {
  /** The URL that runs this component. */
  readonly endpoint: string;
  /** Sends the answer at once; later calls are ignored. Only in a run that a request started. */
  respond(response: HttpResponse): Promise<void>;
}

/** `$.interface.timer`: the schedule. */
export interface TimerInterface {
  readonly type: "$.interface.timer";
  readonly intervalSeconds?: number;
  readonly cron?: string;
}

/** Credentials of an app's account. Which keys there are depends on the app. */
export interface Auth {
  readonly [key: string]: string;
}

/** What describes an event to those who list, order and deduplicate it. */
export interface EmitMetadata {
  /** Needed with `dedupe`: what makes this event different from others. */
  id?: string | number;
  /** One line for lists of events. */
  summary?: string;
  /** When it happened, epoch milliseconds; events leave oldest first. */
  ts?: number;
  /** Channel; the default stream without it. */
  name?: string;
}

/** `this.$emit(event, metadata)`. It takes its copy at once and need not be awaited. */
export type Emit<Metadata = EmitMetadata> = undefined extends Metadata
  ? (event?: unknown, metadata?: Metadata) => Promise<void>
  : (event: unknown, metadata: Metadata) => Promise<void>;

/** What `run` gets from an HTTP interface. */
export interface HttpEvent {
  readonly method: string;
  /** Relative to the endpoint, begins with a slash. */
  readonly path: string;
  readonly query: { readonly [name: string]: string | readonly string[] };
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string };
  /** The body as it came, when it is text. */
  readonly bodyRaw: string;
  /** The parsed body: JSON becomes its value, other text stays text. Check it before use. */
  readonly body: unknown;
  readonly url: string;
  readonly client_ip: string;
}

/** What `run` gets from a timer. */
export interface TimerEvent {
  /** Scheduled time in epoch seconds. */
  readonly timestamp: number;
  readonly interval_seconds: number;
  readonly cron?: string;
  readonly timezone?: string;
}
