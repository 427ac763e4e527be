import type { XError } from "./errors.ts";
import type { CodeInput, NoteFiles } from "./component/contract.ts";
import type {
  AutoSubscription,
  Delivery,
  SourceWebhook,
  Subscription,
  Webhook,
  WebhookFormat,
} from "./listener-model.ts";
import type {
  Account,
  BillingPeriod,
  Component,
  ComponentTexts,
  EventId,
  Execution,
  GuestError,
  Json,
  LogRecord,
  Page,
  Paged,
  PropShape,
  Source,
  SourceSettings,
  StoredEvent,
  StreamKind,
  User,
  UserView,
} from "./model.ts";
import type { EventPage, EventsFilter, LiveEvent } from "./events-api.ts";
import type { Limits } from "./options.ts";
import type { SourceDb } from "./store/contract.ts";
import type { WorkflowInput, WorkflowView } from "./workflow-api.ts";

/** Which component a source is made from; the first given wins in this order (R088). */
export interface ComponentReference {
  readonly componentId?: string;
  readonly key?: string;
  readonly code?: string;
  /** With `code` or `componentId`: metadata only. */
  readonly url?: string;
  /** A file on this machine with its relative imports inside `root`; never from REST. */
  readonly file?: string;
  readonly root?: string;
}

export interface DeployInput extends ComponentReference {
  /** Default: the name of the component, slugged (R089). */
  readonly name?: string;
  readonly props?: { readonly [prop: string]: Json };
  /** Default true; false: what the deploy hook emits is dropped. */
  readonly emitOnDeploy?: boolean;
  readonly settings?: SourceSettings;
  /** From `dynamicProps`; absent: the component is asked when a prop that reloads is configured. */
  readonly dynamicPropsId?: string;
  /** Gets what the source emits, its deploy hook included: the user's active webhook with this URL, or a new one. */
  readonly webhookUrl?: string;
}

/** What is absent stays as it is. */
export interface UpdateInput extends ComponentReference {
  readonly name?: string;
  /** False pauses the source, true resumes it. */
  readonly active?: boolean;
  /** Merged by key; null unsets (G58). */
  readonly props?: { readonly [prop: string]: Json };
  readonly settings?: SourceSettings;
  /** PUT: hooks run even when nothing changes, name and active fall back to their defaults (R090, T1). */
  readonly replace?: boolean;
  /** Makes the change although a hook throws. */
  readonly ignoreHookErrors?: boolean;
  /** From `dynamicProps`; absent: the component is asked when props or code change. */
  readonly dynamicPropsId?: string;
}

export interface InvokeInput {
  /** Default: a timer event when the source has a timer, else `{}` (G26). */
  readonly event?: Json;
  /** Runs it as a request to this HTTP interface prop: the event is what such a request gives, and `respond` works. */
  readonly httpProp?: string;
  /** Default true; false answers `queued` once the trigger is durable. */
  readonly wait?: boolean;
  /** Also when the source is paused. */
  readonly force?: boolean;
}

/** Whose choices are asked for: of a saved component by its id or key, or of a source with what it is configured with. */
export type ConfigureInput = ({ readonly id: string } | { readonly sourceId: string }) & {
  readonly propName: string;
  /** What is configured so far; over that of the source. Nothing need be complete. */
  readonly configuredProps?: { readonly [prop: string]: Json };
  /** Counts from 0. */
  readonly page?: number;
  /** The `context` of the answer before. */
  readonly prevContext?: Json;
  readonly query?: string;
  /** From `dynamicProps`. */
  readonly dynamicPropsId?: string;
};

/** Choices of a prop (contract 3.9, S5). What went wrong in the component is in `errors`. */
export interface OptionsAnswer {
  readonly options: readonly { readonly label: string; readonly value: Json }[];
  /** The plain list, when all of it is text. */
  readonly stringOptions: readonly string[] | null;
  /** For `prevContext` of the next page; null when the component gave none. */
  readonly context: Json;
  /** What the component wrote to its console. */
  readonly observations: readonly LogRecord[];
  readonly errors: readonly GuestError[];
}

export interface DynamicPropsInput {
  /** Id or key of a saved component. */
  readonly id: string;
  readonly configuredProps?: { readonly [prop: string]: Json };
  /** Of the answer before; `additionalProps` is told of those props. */
  readonly dynamicPropsId?: string;
}

/** The props of a component with those that it adds now (contract 3.9). */
export interface DynamicPropsAnswer {
  /** Null when `additionalProps` failed. */
  readonly dynamicProps: { readonly id: string; readonly configurableProps: readonly PropShape[] } | null;
  readonly observations: readonly LogRecord[];
  readonly errors: readonly GuestError[];
}

/** An HTTP request to an endpoint. `path` is relative to the endpoint (S4). */
export interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  /** Full URL as the client sent it. */
  readonly url: string;
  /** Query string without the question mark. */
  readonly search: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly clientIp: string;
}

export interface EndpointResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** A component with its code. */
export type SavedComponent = Component & Pick<ComponentTexts, "code">;

/** A source with the things that its record refers to, as callers see it. */
export interface SourceView {
  readonly source: Source;
  readonly component: Component;
  /** Contract 3.3: timers in snake case, HTTP props as `{endpoint_url}`, secrets as `{"__secret": true}`. */
  readonly configuredProps: { readonly [prop: string]: Json };
  /** Of a deploy with `webhookUrl`. */
  readonly webhook?: SourceWebhook;
}

export interface NewUser {
  /** 1 to 64 of a-z, 0-9, dot, hyphen and underscore; nobody else's. */
  readonly username: string;
  /** Default: `<username>@localhost`. */
  readonly email?: string;
  /** Makes it a paid account. Invocations count by whole UTC days, those of start and end included. */
  readonly billing?: BillingPeriod;
}

/** A component of the registry, or a file that cannot be served as it is. */
export interface RegistryItem {
  /** Relative to the registry's folder. */
  readonly file: string;
  readonly key?: string;
  readonly name?: string;
  readonly version?: string;
  readonly componentId?: string;
  /** Beside the others: the file has changed since, and this is wrong with it now. */
  readonly problem?: { readonly code: string; readonly message: string };
}

export interface PublishInput {
  readonly file: string;
  /** Its imports are inside; default: the file's folder. */
  readonly root?: string;
  /** Default: the folder of this runtime's registry. */
  readonly registry?: string;
  /** Also into a folder that has other files. */
  readonly force?: boolean;
}

export interface PublishedComponent {
  readonly key: string;
  readonly name: string;
  readonly version: string;
  readonly registry: string;
  /** The entry in the registry. */
  readonly file: string;
  /** Everything that was copied, relative to the root, the entry first. */
  readonly files: readonly string[];
  readonly change: "new" | "updated" | "unchanged";
}

/** A user without the key, which is shown to its owner only. */
export type UserEntry = Omit<User, "apiKey">;

/** One value of a source's db; `updatedAt` is null when the store does not tell. */
export interface DbEntry {
  readonly key: string;
  readonly value: Json;
  readonly updatedAt: number | null;
}

/** Which events of whom go to whom. */
export interface SubscriptionInput {
  /** A source or workflow, or one of the globs `dc_*` and `p_*`. */
  readonly emitterId: string;
  /** A source, workflow or webhook. */
  readonly listenerId: string;
  /** Default: empty, the default stream. */
  readonly eventName?: string;
}

export interface AutoSubscriptionInput {
  readonly eventName: string;
  readonly listenerId: string;
}

export interface NewWebhook {
  readonly url: string;
  readonly name?: string | null;
  readonly description?: string | null;
  /** Default: the event alone. */
  readonly format?: WebhookFormat;
}

/** What is absent stays as it is. */
export interface WebhookChange extends Partial<NewWebhook> {
  readonly active?: boolean;
}

/** A webhook without its keys, which are shown once. */
export type WebhookView = Omit<Webhook, "signingKey" | "previousKeys">;

/** Credentials for the app props of the user's sources (contract 3.12). */
export interface NewAccount {
  /** Slug of the app, as app props name it. */
  readonly app: string;
  readonly name?: string | null;
  /** What components read as `$auth`; `{}` for apps without credentials (S20). */
  readonly auth: { readonly [field: string]: Json };
}

/** What is absent stays as it is. */
export type AccountChange = Partial<Omit<NewAccount, "app">>;

/** An account without its credentials, which nothing shows. */
export type AccountView = Omit<Account, "auth">;

/**
 * The runtime as an embedder holds it. Every method that takes `userId`, the id and not the name, acts for the first user
 * without it; what belongs to somebody else is `not_found`, and so is a user that is not there. Methods reject with
 * `XError`, after `close` with `closed`.
 */
export interface Runtime extends AsyncDisposable {
  /** The limits in force. */
  readonly limits: Limits;
  /** The oldest user: acts when nobody is named, and manages the others. */
  readonly firstUserId: string;

  /** Fires timers, runs what a former process left in the inbox, and delivers. What is invoked or requested runs before it too. */
  start(): Promise<void>;
  /**
   * Stops timers, waits for runs under way (up to `drainMs`, default 10 000), closes the store. What has not ended by then
   * did not happen, and with a data folder runs at the next start.
   */
  close(options?: { drainMs?: number }): Promise<void>;

  authenticate(apiKey: string): Promise<User | undefined>;
  user(userId?: string): Promise<UserView>;
  /** All of them, oldest first. */
  users(): Promise<readonly UserEntry[]>;
  /** With its API key, which only the user itself is shown again. Rejects with `username_taken`, `invalid_parameter`. */
  addUser(input: NewUser): Promise<User>;
  /** Gives a user a new API key; the old one stops working at once, and what listens by it ends. */
  rotateApiKey(userIdOrName: string): Promise<User>;

  saveComponent(input: CodeInput, userId?: string, noted?: NoteFiles): Promise<SavedComponent>;
  component(idOrKey: string, userId?: string): Promise<SavedComponent>;
  /** What a component was made of, and what runs. */
  componentTexts(idOrKey: string, userId?: string): Promise<ComponentTexts>;
  /** The component that the registry has under this key (R081). Rejects with `not_found`, or why it lacks its packages. */
  registryComponent(key: string): Promise<SavedComponent>;
  /** What the registry has, and what is wrong with the rest, when all of it is read. */
  registry(): Promise<readonly RegistryItem[]>;
  /** Copies a component with the files it imports into a registry's folder (S10). Nobody waits for it to be read. */
  publish(input: PublishInput): Promise<PublishedComponent>;

  /** Choices for a prop. Rejects only for what the caller did: an unknown prop, values that do not fit. */
  configure(input: ConfigureInput, userId?: string): Promise<OptionsAnswer>;
  /** The props that a component adds for what is configured; kept in memory under an id, for `deploy` and `update`. */
  dynamicProps(input: DynamicPropsInput, userId?: string): Promise<DynamicPropsAnswer>;

  deploy(input: DeployInput, userId?: string): Promise<SourceView>;
  update(id: string, input: UpdateInput, userId?: string): Promise<SourceView>;
  delete(id: string, options?: { ignoreHookErrors?: boolean }, userId?: string): Promise<void>;
  source(id: string, userId?: string): Promise<SourceView>;
  sources(page: Page, userId?: string): Promise<Paged<SourceView>>;

  /**
   * The db of a source as a Keyv. Writes take their turn between runs; errors reject, they never look like a missing key.
   * That of a workflow holds the dbs of its steps, each key behind the name of its step: `step.key`.
   */
  db(sourceId: string, userId?: string): Promise<SourceDb>;

  /** The db of a source or workflow as it is now, sorted by key. */
  dbEntries(sourceId: string, userId?: string): Promise<readonly DbEntry[]>;
  /** When the timer of a source or workflow fires next, epoch ms; undefined without a timer, or while it is paused. */
  nextTick(sourceId: string, userId?: string): Promise<number | undefined>;
  /** Forgets which ids a source has emitted, on every channel (contract 4.3). */
  resetDedupe(sourceId: string, userId?: string): Promise<void>;

  /**
   * Registers a workflow; before `start`, or nothing of what is for it happens until then. The same id again, also in a
   * later process, keeps its events, subscriptions, db and endpoint. Rejects with `invalid_workflow`; with
   * `invalid_parameter` for its settings.
   */
  workflow(input: WorkflowInput, userId?: string): Promise<WorkflowView>;
  /** A workflow of this or a former process. */
  findWorkflow(id: string, userId?: string): Promise<WorkflowView>;
  /** Newest first. */
  workflows(page: Page, userId?: string): Promise<Paged<WorkflowView>>;
  /** With everything it has. */
  deleteWorkflow(id: string, userId?: string): Promise<void>;

  /** Runs a source or workflow now. Rejects with `inactive` when it is paused, `queue_full`, and `store_failed`: it is then tried again. */
  invoke(id: string, input?: InvokeInput, userId?: string): Promise<Execution>;
  /** Resolves with the answer for the client; unknown or inactive endpoints answer 404 (G34). */
  request(endpointKey: string, request: EndpointRequest): Promise<EndpointResponse>;

  /** Stored events, newest first, at most the retained ones. */
  storedEvents(sourceId: string, stream: StreamKind, page: EventPage, userId?: string): Promise<Paged<StoredEvent>>;
  /** Removes an inclusive range; resolves when accepted, removal follows (R096). */
  deleteEvents(
    sourceId: string,
    stream: StreamKind,
    range: { start?: EventId; end?: EventId },
    userId?: string,
  ): Promise<void>;
  /**
   * Events as they are committed, from the call on or after an id, without a hole. Ends on abort, on close, when the API key
   * of the filter stops working, and when more events wait for a slow listener than its backlog holds; those that wait still
   * come, and `after` the last of them goes on.
   */
  events<Payload = unknown>(filter?: EventsFilter, userId?: string): AsyncIterableIterator<LiveEvent<Payload>>;

  /** The same twice gives the one there is. Emitter and listener must exist, the emitter also as a glob. */
  subscribe(input: SubscriptionInput, userId?: string): Promise<Subscription>;
  /** The event name must be the one that was given. */
  unsubscribe(input: SubscriptionInput, userId?: string): Promise<void>;
  /** Newest first. */
  subscriptions(userId?: string): Promise<readonly Subscription[]>;
  /** Subscribes the listener to every source that is created from now on (R102). */
  autoSubscribe(input: AutoSubscriptionInput, userId?: string): Promise<AutoSubscription>;
  removeAutoSubscription(input: AutoSubscriptionInput, userId?: string): Promise<void>;
  /** Newest first. */
  autoSubscriptions(userId?: string): Promise<readonly AutoSubscription[]>;

  /** The only answer, beside that of `rotateWebhookKey`, with a signing key. */
  createWebhook(input: NewWebhook, userId?: string): Promise<Webhook>;
  webhook(id: string, userId?: string): Promise<WebhookView>;
  /** Newest first. */
  webhooks(page: Page, userId?: string): Promise<Paged<WebhookView>>;
  updateWebhook(id: string, change: WebhookChange, userId?: string): Promise<WebhookView>;
  /** With its subscriptions and deliveries. */
  deleteWebhook(id: string, userId?: string): Promise<void>;
  /** Gives it a new signing key; the one before signs for a day too (G12). */
  rotateWebhookKey(id: string, userId?: string): Promise<Webhook>;
  /** Newest first; of those that ended, only the newest are kept. */
  deliveries(webhookId: string, page: Page, userId?: string): Promise<Paged<Delivery>>;
  /** One more attempt now. Rejects with `inactive` when the webhook is. */
  redeliver(webhookId: string, deliveryId: string, userId?: string): Promise<Delivery>;

  createAccount(input: NewAccount, userId?: string): Promise<AccountView>;
  /** Newest first; of one app, or of all. */
  accounts(page: Page, options?: { readonly app?: string }, userId?: string): Promise<Paged<AccountView>>;
  /** Runs that begin afterwards have the new credentials. */
  updateAccount(id: string, change: AccountChange, userId?: string): Promise<AccountView>;
  /** Rejects with `account_in_use` while a source uses it, unless forced: such sources then fail with `account_missing`. */
  deleteAccount(id: string, options?: { readonly force?: boolean }, userId?: string): Promise<void>;

  /** Resolves when nothing can be stored any more, as when the data file was removed: close the runtime, and start anew. */
  readonly failed: Promise<XError>;

  /** Resolves when nothing runs, no due trigger waits and no due delivery is on its way. */
  idle(): Promise<void>;
}
