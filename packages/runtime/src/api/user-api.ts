import type {
  AppEndpointDetail,
  AppEndpointInput,
  AppEndpointView,
  AppEventInput,
  AppEventResult,
} from "./app-events-api.ts";
import type {
  AccountChange,
  AccountFilter,
  AccountView,
  AppView,
  ConnectInput,
  Connection,
  NewAccount,
  NewApp,
  ServiceView,
} from "@x/accounts";
import type {
  AutoSubscriptionInput,
  ConfigureInput,
  DbEntry,
  Delivery,
  DeliveryDetail,
  DeployInput,
  DynamicPropsAnswer,
  DynamicPropsInput,
  InvokeInput,
  NewWebhook,
  OptionsAnswer,
  ProjectInput,
  SavedComponent,
  SourceActivity,
  SourceFilter,
  DeployComparison,
  SourceComparison,
  Redelivery,
  RedeliveryFilter,
  SourceView,
  SubscriptionInput,
  UpdateInput,
  WebhookChange,
  WebhookActivity,
  WebhookFilter,
  WebhookView,
  UserView,
} from "./api.ts";
import type { CodeInput, NoteFiles } from "@x/components";
import type {
  ExecutionPage,
  ExecutionTestInput,
  ExecutionsFilter,
  ReplayInput,
  StoredExecution,
  StoredExecutionDetail,
} from "./executions-api.ts";
import type {
  EventPage,
  EventRange,
  EventsFilter,
  LiveEvent,
  NewestEvents,
  NewestEventsQuery,
  StoredEvent,
} from "./events-api.ts";
import type {
  AutoSubscription,
  ComponentTexts,
  DeliveryPage,
  ListFilter,
  Execution,
  Json,
  Limits,
  Page,
  Paged,
  Project,
  StreamKind,
  RequestEntry,
  Subscription,
  Webhook,
} from "@x/model";
import type { RecentActivity } from "./observe-api.ts";
import type { DataStoreSize, SourceDb } from "@x/store";
import type { WorkflowDetail, WorkflowInput, WorkflowView } from "./workflow-api.ts";

/**
 * Methods of one user. `Runtime` acts for the first user, `runtime.as(userId)` for another one. Resources of other users are
 * `not_found`. Methods reject with `XError`, after `close` with code `closed`.
 */
export interface UserRuntime {
  /** The limits in force, the same for all users. */
  readonly limits: Limits;
  /** The user, with the counters of the current UTC day: compute time in milliseconds, and invocations. */
  user(): Promise<UserView>;

  /**
   * Saves a component without deploying it. Code that this user has saved before resolves with that component. Calls `noted`
   * with the files of the component, also when it is refused. Rejects with `invalid_component`, `bundle_failed` or a
   * `package_…` code.
   */
  saveComponent(input: CodeInput, noted?: NoteFiles): Promise<SavedComponent>;
  /** A saved component with its code, by id or key. A key selects the user's own component before that of the registry. Rejects with `not_found`. */
  component(idOrKey: string): Promise<SavedComponent>;
  /** The code, the bundle that runs and its source map. Rejects with `not_found`. */
  componentTexts(idOrKey: string): Promise<ComponentTexts>;

  /**
   * The options of a prop. Errors of the component are in `errors` of the answer. Rejects for errors of the caller: unknown
   * props and invalid values.
   */
  configure(input: ConfigureInput): Promise<OptionsAnswer>;
  /**
   * The props that `additionalProps` adds for the configured values, which for a source are its stored ones with those given
   * over them; cached in memory under an id, for `deploy` and `update`.
   */
  dynamicProps(input: DynamicPropsInput): Promise<DynamicPropsAnswer>;

  /**
   * Creates a source and runs its `deploy` and `activate` hooks. A rejected deploy leaves nothing behind. Rejects with
   * `invalid_parameter`, `missing_parameter`, `invalid_component`, `invalid_props`, `not_found`, `hook_failed`, or a `package_…` code.
   * With `ifExists: "update"` the source with the same name is updated, and `change` of the result says what happened.
   */
  deploy(input: DeployInput): Promise<SourceView>;
  /**
   * Changes the component, props, name, settings or `active` of a source. Id, endpoints, db and events stay. Triggers wait
   * meanwhile. A rejected update changes nothing. Rejects as `deploy` does, and with `busy` when a run or another change of
   * the source takes longer than `limits.busyWaitMs`.
   */
  update(id: string, input: UpdateInput): Promise<SourceView>;
  /** What `update` with this input would change. Code is built and checked, and nothing is saved or run. Rejects as `update` does. */
  compare(id: string, input: UpdateInput): Promise<SourceComparison>;
  /**
   * What `deploy` with this input and `ifExists: "update"` would do. Code is built and checked, and nothing is saved or run.
   * Rejects as `deploy` does.
   */
  compareDeploy(input: DeployInput): Promise<DeployComparison>;
  /**
   * Runs the `deactivate` and the `activate` hook of an active source, which registers its endpoints anew. Rejects as `update` does,
   * and with `inactive`.
   */
  reactivate(id: string, options?: { ignoreHookErrors?: boolean }): Promise<SourceView>;
  /**
   * Runs the `deactivate` hook, then removes the source with its events, db and subscriptions. Rejects with `not_found`, `busy`, and
   * with `hook_failed` unless `ignoreHookErrors` is true (default false).
   */
  delete(id: string, options?: { ignoreHookErrors?: boolean }): Promise<void>;
  /** A source with its component and configured props. Rejects with `not_found`. */
  source(id: string): Promise<SourceView>;
  /** Sources, newest first, all or those that match; `totalCount` counts all of these. Rejects with `invalid_parameter`. */
  sources(page: Page, filter?: SourceFilter): Promise<Paged<SourceView>>;

  /**
   * The db of a source as a Keyv. Writes wait for the run under way. Errors reject and never look like a missing key. The
   * keys in the db of a workflow begin with the name of a step: `step.key`.
   */
  db(sourceId: string): Promise<SourceDb>;

  /** The current db of a source or workflow, sorted by key. */
  dbEntries(sourceId: string): Promise<readonly DbEntry[]>;
  /** The user's data stores that have keys, by name. */
  dataStores(): Promise<readonly DataStoreSize[]>;
  /** The values of a data store, sorted by key; none if there is no such data store. */
  dataStoreEntries(name: string): Promise<readonly DbEntry[]>;
  /** A value of a data store; undefined if it has no such key. */
  dataStoreValue(name: string, key: string): Promise<Json | undefined>;
  /**
   * Sets keys of a data store to JSON values, in one commit; undefined deletes a key. Rejects with `invalid_parameter`,
   * `db_value_too_large` and `data_store_too_large`.
   */
  writeDataStore(name: string, values: readonly (readonly [key: string, value: Json | undefined])[]): Promise<void>;
  /** Rejects with `not_found`. */
  deleteDataStoreKey(name: string, key: string): Promise<void>;
  /** Removes a data store with all its values. Rejects with `not_found`. */
  deleteDataStore(name: string): Promise<void>;

  /** When the timer of a source or workflow fires next, epoch ms; undefined without a timer, or while it is paused. */
  nextTick(sourceId: string): Promise<number | undefined>;
  /** What a source or workflow does now, and did in the last day. */
  activity(sourceId: string): Promise<SourceActivity>;
  /** What all sources and workflows of the user did in the last three hours, by minutes. */
  recentActivity(): Promise<RecentActivity>;
  /** Clears the dedupe state of a source, for all channels. */
  resetDedupe(sourceId: string): Promise<void>;

  /**
   * Registers a workflow, preferably before `start`: its triggers wait until it is registered. Registering the same id
   * again, also in a later process, keeps its events, subscriptions, db and endpoint. Rejects with `invalid_workflow`; with
   * `invalid_parameter` for its settings.
   */
  workflow(input: WorkflowInput): Promise<WorkflowView>;
  /** A workflow of this or a former process. Rejects with `not_found`. */
  findWorkflow(id: string): Promise<WorkflowDetail>;
  /** Workflows, newest first, all or those that match; `totalCount` counts all of these. */
  workflows(page: Page, filter?: ListFilter): Promise<Paged<WorkflowView>>;
  /** Removes a workflow with its events, db and subscriptions. Rejects with `not_found`. */
  deleteWorkflow(id: string): Promise<void>;

  /** Runs a source or workflow now. Rejects with `inactive` for a paused source, `queue_full`, and `store_failed`; after `store_failed` it is retried. */
  invoke(id: string, input?: InvokeInput): Promise<Execution>;

  /** Stored events, newest first. */
  storedEvents(sourceId: string, stream: StreamKind, page: EventPage): Promise<Paged<StoredEvent>>;
  /** The newest stored events of a stream of all sources and workflows, or of one. */
  newestEvents(stream: StreamKind, query: NewestEventsQuery): Promise<NewestEvents>;
  /** Deletes an inclusive range of events; resolves when the request is accepted. */
  deleteEvents(sourceId: string, stream: StreamKind, range: EventRange): Promise<void>;
  /**
   * Events as they are committed, from now or after an id, without gaps. Ends on abort, on close, when the API key of the
   * filter is revoked, and when more events wait for a slow listener than its `backlog` allows. The waiting events are still
   * delivered; continue with `after` the last one.
   */
  events<Payload = unknown>(filter?: EventsFilter): AsyncIterableIterator<LiveEvent<Payload>>;

  /** Stored executions of a source or workflow, or of all, newest first. */
  storedExecutions(sourceId: string | undefined, page: ExecutionPage): Promise<Paged<StoredExecution>>;
  /** A stored execution with everything that it received and did. Rejects with `not_found`. */
  execution(id: string): Promise<StoredExecutionDetail>;
  /**
   * Runs an execution again, with its trigger and its event or another one. The new execution has `replayOf`. Rejects with
   * `not_replayable`, and as `invoke` does.
   */
  replay(id: string, input?: ReplayInput): Promise<Execution>;
  /**
   * The text of a vitest file for `@x/testing` that repeats a run: its event, the answers of upstreams, what is known of its
   * db and its dedupe state, and what it did. Secrets are replaced by stand-ins. Rejects with `not_found`, and with
   * `not_replayable` when the record lacks the event.
   */
  executionTest(id: string, input?: ExecutionTestInput): Promise<string>;
  /**
   * Executions as they are committed, from now or after an id. Ends on abort, on close, when the API key of the filter is
   * revoked, and for a listener that is too slow.
   */
  executions(filter?: ExecutionsFilter): AsyncIterableIterator<StoredExecution>;

  /** Subscribes a listener, or resolves with the existing subscription. Emitter (or a glob) and listener must exist. */
  subscribe(input: SubscriptionInput): Promise<Subscription>;
  /** Ends the subscription with the same emitter, listener and event name. Rejects with `not_found`. */
  unsubscribe(input: SubscriptionInput): Promise<void>;
  /** All subscriptions, newest first. */
  subscriptions(): Promise<readonly Subscription[]>;
  /** Subscribes the listener to every source that is created from now on. */
  autoSubscribe(input: AutoSubscriptionInput): Promise<AutoSubscription>;
  /** Ends an auto-subscription; the subscriptions that it created stay. Rejects with `not_found`. */
  removeAutoSubscription(input: AutoSubscriptionInput): Promise<void>;
  /** All auto-subscriptions, newest first. */
  autoSubscriptions(): Promise<readonly AutoSubscription[]>;

  /**
   * Registers a URL that receives events. Only this answer and that of `rotateWebhookKey` contain the signing key. Rejects
   * with `invalid_parameter`, and with `address_forbidden` for a URL that the network options forbid.
   */
  createWebhook(input: NewWebhook): Promise<Webhook>;
  /** A webhook without its keys. Rejects with `not_found`. */
  webhook(id: string): Promise<WebhookView>;
  /** Webhooks without their keys, newest first, all or those that match. */
  webhooks(page: Page, filter?: WebhookFilter): Promise<Paged<WebhookView>>;
  /** What becomes of its deliveries. Rejects with `not_found`. */
  webhookActivity(id: string): Promise<WebhookActivity>;
  /** Changes a webhook; activating it attempts its pending deliveries. Rejects with `not_found`, `invalid_parameter`, `address_forbidden`. */
  updateWebhook(id: string, change: WebhookChange): Promise<WebhookView>;
  /** Removes a webhook with its subscriptions and deliveries. Rejects with `not_found`. */
  deleteWebhook(id: string): Promise<void>;
  /** Gives a webhook a new signing key; for a day, deliveries are signed with the previous key too. */
  rotateWebhookKey(id: string): Promise<Webhook>;
  /** Deliveries, newest first, of one status or all; only the newest finished ones are kept. */
  deliveries(webhookId: string, page: DeliveryPage): Promise<Paged<Delivery>>;
  /** A delivery with its event. Rejects with `not_found`. */
  delivery(webhookId: string, deliveryId: string): Promise<DeliveryDetail>;
  /**
   * Makes one more attempt now. Resolves with the pending delivery; with `wait`, with the outcome of the attempt. Rejects
   * with `inactive` for an inactive webhook.
   */
  redeliver(webhookId: string, deliveryId: string, options?: Redelivery): Promise<Delivery>;
  /**
   * Makes one more attempt of each dead delivery, or of those that match, oldest first, as fast as other deliveries.
   * Resolves with their number. Rejects with `inactive` for an inactive webhook.
   */
  redeliverMany(webhookId: string, filter?: RedeliveryFilter): Promise<number>;

  /** The record of what a project has made. Rejects with `not_found`. */
  project(name: string): Promise<Project>;
  /** The records of all projects of the user, by name. */
  projects(): Promise<readonly Project[]>;
  /** Replaces the record of a project; an equal one keeps its revision. Rejects with `project_changed` when `revision` is not that of the stored one. */
  putProject(name: string, input: ProjectInput): Promise<Project>;
  /** Removes the record of a project; what it has made stays. Rejects with `not_found`. */
  deleteProject(name: string): Promise<void>;

  /** Stores credentials, encrypted, for the app props of this user's sources. Rejects with `invalid_parameter`. */
  createAccount(input: NewAccount): Promise<AccountView>;
  /** An account. Rejects with `not_found`. */
  account(id: string): Promise<AccountView>;
  /** Accounts, newest first; of one app or of all, all or those that match. */
  accounts(page: Page, filter?: AccountFilter): Promise<Paged<AccountView>>;
  /** Changes name or credentials; later runs use the new ones. Rejects with `not_found`, `invalid_parameter`. */
  updateAccount(id: string, change: AccountChange): Promise<AccountView>;
  /** Deletes an account. Rejects with `account_in_use` while a source uses it, unless `force` is true; such sources then fail with `account_missing`. */
  deleteAccount(id: string, options?: { readonly force?: boolean }): Promise<void>;

  /**
   * Sets how accounts of an app are connected: a client at its authorization server, whose secret is stored encrypted and never
   * shown, or the names of its keys. Replaces what was set before. Rejects with `invalid_parameter`, and with `connect_failed`
   * when the metadata of an issuer cannot be read.
   */
  putApp(input: NewApp): Promise<AppView>;
  /** All apps of this user, by slug. */
  apps(): Promise<readonly AppView[]>;
  /** Removes an app. Its accounts stay until their tokens expire. Rejects with `not_found`. */
  deleteApp(slug: string): Promise<void>;
  /**
   * Sets the endpoint of an app: the one URL that its service calls with the events of all accounts. Replaces what was set
   * before; the URL stays. Rejects with `invalid_parameter`, and for the code of a reader as `saveComponent` does.
   */
  putAppEndpoint(input: AppEndpointInput): Promise<AppEndpointView>;
  /** The endpoint of an app, who listens, and how its last requests ended. Rejects with `not_found`. */
  appEndpoint(app: string): Promise<AppEndpointDetail>;
  /** The endpoints of all apps of this user, by slug. */
  appEndpoints(): Promise<readonly AppEndpointView[]>;
  /** Removes the endpoint of an app; its URL is gone at once. Rejects with `not_found`. */
  deleteAppEndpoint(app: string): Promise<void>;
  /** Gives the endpoint of an app another URL; the old one is gone at once. Rejects with `not_found`. */
  rotateAppEndpoint(app: string): Promise<AppEndpointView>;
  /**
   * Stores events of an app for every source that listens, as a request of its service does; no endpoint is needed. An id
   * that the app has seen within a day is a duplicate, unless `force` is true. Rejects with `invalid_parameter`, and with
   * `queue_full` when the process takes no more.
   */
  appEvents(
    app: string,
    events: readonly AppEventInput[],
    options?: { readonly force?: boolean },
  ): Promise<readonly AppEventResult[]>;
  /** How the last requests to the verified endpoints of a source ended, newest first. Rejects with `not_found`. */
  sourceRequests(id: string): Promise<readonly RequestEntry[]>;
  /** Services whose addresses are known. */
  services(): Promise<readonly ServiceView[]>;
  /**
   * Begins to connect an account: by OAuth 2 a person agrees at `authorizeUrl`; clients with rights of their own and apps with
   * keys are connected at once. Rejects with `not_found` for an app that is not set up, `invalid_parameter`, `connect_failed`.
   */
  connectAccount(input: ConnectInput): Promise<Connection>;
  /** A connection that this user began. `wait` resolves when it has ended, at the latest after 20 seconds. Rejects with `not_found`. */
  connection(id: string, options?: { readonly wait?: boolean }): Promise<Connection>;
  /**
   * Ends a connection that this user began, with the URL to which the authorization server sent the browser. Works once. Rejects
   * with `not_found`, `connect_failed`.
   */
  completeConnection(url: string): Promise<Connection>;
}
