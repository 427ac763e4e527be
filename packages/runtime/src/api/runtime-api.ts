import type { EndpointRequest, EndpointResponse, NewUser, SavedComponent, UserEntry } from "./api.ts";
import type { PublishInput, PublishedComponent, RegistryItem, RegistryList } from "@x/components";
import type { Connection } from "@x/accounts";
import type { User, XError } from "@x/model";
import type { LiveEvent, RuntimeEventsFilter } from "./events-api.ts";
import type { RequestSpan, RequestSpanOptions, RuntimeStats } from "./observe-api.ts";
import type { NodeView } from "@x/store";
import type { Peers } from "./node-api.ts";
import type { UserRuntime } from "./user-api.ts";

/**
 * A runtime. Its own methods act for the first user, `as` for another one. Methods reject with `XError`, after `close` with
 * code `closed`.
 */
export interface Runtime extends UserRuntime, AsyncDisposable {
  /** Id of the oldest user, the default user and administrator. */
  readonly firstUserId: string;

  /** Starts timers and deliveries, and runs triggers that a former process left. Invocations and requests run before it too. */
  start(): Promise<void>;
  /**
   * Stops timers, waits for runs under way (at most `drainMs`, default 10 000), closes the store. Runs that have not ended by
   * then have no effect; with a data folder they run at the next start.
   */
  close(options?: { drainMs?: number }): Promise<void>;

  /**
   * Acts for the user with this id (not name). Its methods reject with `not_found` for an unknown id. Throws
   * `invalid_parameter` unless the id is a string, so that a missing id does not select the first user.
   */
  as(userId: string): UserRuntime;
  /** The user with this API key; undefined for an unknown key. */
  authenticate(apiKey: string): Promise<User | undefined>;
  /** All users, oldest first. */
  users(): Promise<readonly UserEntry[]>;
  /** Adds a user. The answer has the API key, which later only the user can see. Rejects with `username_taken`, `invalid_parameter`. */
  addUser(input: NewUser): Promise<User>;
  /** Gives a user a new API key. The old one stops working at once, and listeners that use it end. Rejects with `not_found`. */
  rotateApiKey(userIdOrName: string): Promise<User>;

  /**
   * The component of the registry with this key; evaluates it first when that is still to be done. Rejects with the error of
   * its packages, and with `not_found`: also when that takes longer than 3 seconds, with the reason `registry_is_read`.
   */
  registryComponent(key: string): Promise<SavedComponent>;
  /** What is known of the registry now, by key, and how much that is. Does not wait. */
  registryList(): RegistryList;
  /** All components of the registry, and files with problems. Waits until all files are evaluated. */
  registry(): Promise<readonly RegistryItem[]>;
  /** Copies a component with the files that it imports into the folder of a registry. Does not wait until the registry reads it. */
  publish(input: PublishInput): Promise<PublishedComponent>;

  /**
   * Resolves with the response for the client; 404 for unknown and inactive endpoints. `endpoint` is its URL, as in
   * `source.endpoints`, or the last segment of that URL.
   */
  request(endpoint: string, request: EndpointRequest): Promise<EndpointResponse>;

  /**
   * Ends the connection of any user with the URL to which the authorization server sent the browser; its state tells whose it
   * is. For the callback of a server. Rejects with `not_found`, `connect_failed`.
   */
  answerConnection(url: string): Promise<Connection>;

  /** `UserRuntime.events`; with `everyUser` the events of all users. */
  events<Payload = unknown>(filter?: RuntimeEventsFilter): AsyncIterableIterator<LiveEvent<Payload>>;

  /**
   * Begins the span of a request that is served with this runtime, below its `traceparent` or the active span. Undefined where
   * no SDK of OpenTelemetry was registered. The server of the REST interface uses it.
   */
  beginSpan(name: string, options: RequestSpanOptions): RequestSpan | undefined;

  /**
   * Names the work that begins on the main thread, such as a route: the log names it if nothing else runs for long meanwhile. The
   * server of the REST interface uses it.
   */
  working(work: string): void;

  /** What happened since the runtime was created, in numbers, and what is waiting; of all users. */
  stats(): Promise<RuntimeStats>;

  /** The nodes that share the store, oldest first: of PostgreSQL there may be several. */
  nodes(): Promise<readonly NodeView[]>;
  /** Absent unless several nodes can share the store. */
  readonly peers?: Peers;

  /** Resolves when the store has failed for good, for example because its file was removed. Close the runtime and create a new one. */
  readonly failed: Promise<XError>;

  /** Resolves when no run, no due trigger and no due delivery is pending. */
  idle(): Promise<void>;
}
