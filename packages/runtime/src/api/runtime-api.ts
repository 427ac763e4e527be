import type {
  EndpointRequest,
  EndpointResponse,
  NewUser,
  PublishInput,
  PublishedComponent,
  RegistryItem,
  SavedComponent,
  UserEntry,
} from "./api.ts";
import type { XError } from "../model/errors.ts";
import type { LiveEvent, RuntimeEventsFilter } from "./events-api.ts";
import type { User } from "../model/model.ts";
import type { UserRuntime } from "./user-api.ts";

/**
 * The runtime as an embedder holds it. What it does itself it does for the first user; `as` acts for another one. Methods
 * reject with `XError`, after `close` with `closed`.
 */
export interface Runtime extends UserRuntime, AsyncDisposable {
  /** The oldest user: acts when nobody is named, and manages the others. */
  readonly firstUserId: string;

  /** Fires timers, runs what a former process left in the inbox, and delivers. What is invoked or requested runs before it too. */
  start(): Promise<void>;
  /**
   * Stops timers, waits for runs under way (up to `drainMs`, default 10 000), closes the store. What has not ended by then
   * did not happen, and with a data folder runs at the next start.
   */
  close(options?: { drainMs?: number }): Promise<void>;

  /**
   * What the user with this id can do; a name is no id. Its methods reject with `not_found` when there is no such user.
   * Throws `invalid_parameter` for what is no text: nobody becomes the first user by a missing id.
   */
  as(userId: string): UserRuntime;
  /** The user whose API key this is; undefined when it is nobody's. */
  authenticate(apiKey: string): Promise<User | undefined>;
  /** All of them, oldest first. */
  users(): Promise<readonly UserEntry[]>;
  /** With its API key, which only the user itself is shown again. Rejects with `username_taken`, `invalid_parameter`. */
  addUser(input: NewUser): Promise<User>;
  /** Gives a user a new API key; the old one stops working at once, and what listens by it ends. */
  rotateApiKey(userIdOrName: string): Promise<User>;

  /** The component that the registry has under this key. Rejects with `not_found`, or why it lacks its packages. */
  registryComponent(key: string): Promise<SavedComponent>;
  /** What the registry has, and what is wrong with the rest, when all of it is read. */
  registry(): Promise<readonly RegistryItem[]>;
  /** Copies a component with the files it imports into a registry's folder. Nobody waits for it to be read. */
  publish(input: PublishInput): Promise<PublishedComponent>;

  /**
   * Resolves with the answer for the client; unknown or inactive endpoints answer 404. An endpoint is named by its URL, as
   * `source.endpoints` has it, or by the last part of it, which is what a server finds in a path.
   */
  request(endpoint: string, request: EndpointRequest): Promise<EndpointResponse>;

  /** As for a user, and of all users with `everyUser`. */
  events<Payload = unknown>(filter?: RuntimeEventsFilter): AsyncIterableIterator<LiveEvent<Payload>>;

  /** Resolves when nothing can be stored any more, as when the data file was removed: close the runtime, and start anew. */
  readonly failed: Promise<XError>;

  /** Resolves when nothing runs, no due trigger waits and no due delivery is on its way. */
  idle(): Promise<void>;
}
