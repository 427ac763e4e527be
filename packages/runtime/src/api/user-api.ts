import type {
  AccountChange,
  AccountView,
  AutoSubscriptionInput,
  ConfigureInput,
  DbEntry,
  Delivery,
  DeployInput,
  DynamicPropsAnswer,
  DynamicPropsInput,
  InvokeInput,
  NewAccount,
  NewWebhook,
  OptionsAnswer,
  SavedComponent,
  SourceView,
  SubscriptionInput,
  UpdateInput,
  WebhookChange,
  WebhookView,
} from "./api.ts";
import type { CodeInput, NoteFiles } from "../components/contract.ts";
import type { EventPage, EventRange, EventsFilter, LiveEvent, StoredEvent } from "./events-api.ts";
import type { AutoSubscription, Subscription, Webhook } from "../model/listener-model.ts";
import type { ComponentTexts, Execution, Page, Paged, StreamKind, UserView } from "../model/model.ts";
import type { Limits } from "./options.ts";
import type { SourceDb } from "../store/contract.ts";
import type { WorkflowInput, WorkflowView } from "./workflow-api.ts";

/**
 * What a user can do. `Runtime` acts for the first user, `runtime.as(userId)` for another one. What belongs to somebody else
 * is `not_found`. Methods reject with `XError`, after `close` with `closed`.
 */
export interface UserRuntime {
  /** The limits in force, the same for all users. */
  readonly limits: Limits;
  /** The user who acts, with the counters of the current UTC day: computing time in milliseconds, and invocations. */
  user(): Promise<UserView>;

  /**
   * Saves a component without deploying it. Code that this user has saved before gives the component of that time. `noted` hears
   * which files it is made of, also when it is refused. Rejects with `invalid_component`, with `bundle_failed`, or with a `package_…` code.
   */
  saveComponent(input: CodeInput, noted?: NoteFiles): Promise<SavedComponent>;
  /** A saved component with its code, by id, or by key: this user's own before that of the registry. Rejects with `not_found`. */
  component(idOrKey: string): Promise<SavedComponent>;
  /** The code, the bundle that runs and its source map. Rejects with `not_found`. */
  componentTexts(idOrKey: string): Promise<ComponentTexts>;

  /**
   * The choices of a prop that has `options`; what the component throws is in `errors` of the answer. Rejects only for what the caller
   * did: an unknown prop, values that do not fit.
   */
  configure(input: ConfigureInput): Promise<OptionsAnswer>;
  /** The props that a component adds for what is configured; kept in memory under an id, for `deploy` and `update`. */
  dynamicProps(input: DynamicPropsInput): Promise<DynamicPropsAnswer>;

  /**
   * Makes a source of a component and runs its `deploy` and `activate` hooks. Nothing is left of it when it rejects. Rejects with
   * `invalid_parameter`, `missing_parameter`, `invalid_component`, `invalid_props`, `not_found`, `hook_failed`, or a `package_…` code.
   */
  deploy(input: DeployInput): Promise<SourceView>;
  /**
   * Changes a source: its component, props, name, settings, or whether it is active. Id, endpoints, db and events stay. What
   * arrives meanwhile waits. Nothing has changed when it rejects: as `deploy` does, and with `busy` when the source works on
   * something else for longer than `limits.busyWaitMs`.
   */
  update(id: string, input: UpdateInput): Promise<SourceView>;
  /**
   * Runs the `deactivate` hook, then removes the source with its events, db and subscriptions. Rejects with `not_found`, `busy`, and
   * with `hook_failed` unless `ignoreHookErrors` is true (default false).
   */
  delete(id: string, options?: { ignoreHookErrors?: boolean }): Promise<void>;
  /** A source with its component and configured props. Rejects with `not_found`. */
  source(id: string): Promise<SourceView>;
  /** Sources, newest first; `totalCount` counts all of them. Rejects with `invalid_parameter`. */
  sources(page: Page): Promise<Paged<SourceView>>;

  /**
   * The db of a source as a Keyv. Writes take their turn between runs; errors reject, they never look like a missing key.
   * That of a workflow holds the dbs of its steps, each key behind the name of its step: `step.key`.
   */
  db(sourceId: string): Promise<SourceDb>;

  /** The db of a source or workflow as it is now, sorted by key. */
  dbEntries(sourceId: string): Promise<readonly DbEntry[]>;
  /** When the timer of a source or workflow fires next, epoch ms; undefined without a timer, or while it is paused. */
  nextTick(sourceId: string): Promise<number | undefined>;
  /** Forgets which ids a source has emitted, on every channel. */
  resetDedupe(sourceId: string): Promise<void>;

  /**
   * Registers a workflow; before `start`, or nothing of what is for it happens until then. The same id again, also in a
   * later process, keeps its events, subscriptions, db and endpoint. Rejects with `invalid_workflow`; with
   * `invalid_parameter` for its settings.
   */
  workflow(input: WorkflowInput): Promise<WorkflowView>;
  /** A workflow of this or a former process. */
  findWorkflow(id: string): Promise<WorkflowView>;
  /** Workflows, newest first; `totalCount` counts all of them. */
  workflows(page: Page): Promise<Paged<WorkflowView>>;
  /** Removes a workflow with its events, db and subscriptions. Rejects with `not_found`. */
  deleteWorkflow(id: string): Promise<void>;

  /** Runs a source or workflow now. Rejects with `inactive` when it is paused, `queue_full`, and `store_failed`: it is then tried again. */
  invoke(id: string, input?: InvokeInput): Promise<Execution>;

  /** Stored events, newest first, at most the retained ones. */
  storedEvents(sourceId: string, stream: StreamKind, page: EventPage): Promise<Paged<StoredEvent>>;
  /** Removes an inclusive range; resolves when accepted, removal follows. */
  deleteEvents(sourceId: string, stream: StreamKind, range: EventRange): Promise<void>;
  /**
   * Events as they are committed, from the call on or after an id, without a hole. Ends on abort, on close, when the API key
   * of the filter stops working, and when more events wait for a slow listener than its backlog holds; those that wait still
   * come, and `after` the last of them goes on.
   */
  events<Payload = unknown>(filter?: EventsFilter): AsyncIterableIterator<LiveEvent<Payload>>;

  /** The same twice gives the one there is. Emitter and listener must exist, the emitter also as a glob. */
  subscribe(input: SubscriptionInput): Promise<Subscription>;
  /** Ends a subscription; the event name must be the one that it was made with. Rejects with `not_found`. */
  unsubscribe(input: SubscriptionInput): Promise<void>;
  /** All subscriptions, newest first. */
  subscriptions(): Promise<readonly Subscription[]>;
  /** Subscribes the listener to every source that is created from now on. */
  autoSubscribe(input: AutoSubscriptionInput): Promise<AutoSubscription>;
  /** Ends an auto-subscription; the subscriptions that it has made stay. Rejects with `not_found`. */
  removeAutoSubscription(input: AutoSubscriptionInput): Promise<void>;
  /** All auto-subscriptions, newest first. */
  autoSubscriptions(): Promise<readonly AutoSubscription[]>;

  /**
   * Registers a URL that receives events. This answer and that of `rotateWebhookKey` alone have the signing key. Rejects with
   * `invalid_parameter`, and with `address_forbidden` for a URL that the network options forbid.
   */
  createWebhook(input: NewWebhook): Promise<Webhook>;
  /** A webhook without its keys. Rejects with `not_found`. */
  webhook(id: string): Promise<WebhookView>;
  /** Webhooks without their keys, newest first. */
  webhooks(page: Page): Promise<Paged<WebhookView>>;
  /** Changes a webhook; activating one attempts what is pending. Rejects with `not_found`, `invalid_parameter`, `address_forbidden`. */
  updateWebhook(id: string, change: WebhookChange): Promise<WebhookView>;
  /** Removes a webhook with its subscriptions and deliveries. Rejects with `not_found`. */
  deleteWebhook(id: string): Promise<void>;
  /** Gives it a new signing key; the one before signs for a day too. */
  rotateWebhookKey(id: string): Promise<Webhook>;
  /** Newest first; of those that ended, only the newest are kept. */
  deliveries(webhookId: string, page: Page): Promise<Paged<Delivery>>;
  /** One more attempt now. Rejects with `inactive` when the webhook is. */
  redeliver(webhookId: string, deliveryId: string): Promise<Delivery>;

  /** Stores credentials, encrypted, for the app props of this user's sources. Rejects with `invalid_parameter`. */
  createAccount(input: NewAccount): Promise<AccountView>;
  /** Newest first; of one app, or of all. */
  accounts(page: Page, options?: { readonly app?: string }): Promise<Paged<AccountView>>;
  /** Changes name or credentials; runs that begin afterwards have the new ones. Rejects with `not_found`, `invalid_parameter`. */
  updateAccount(id: string, change: AccountChange): Promise<AccountView>;
  /** Rejects with `account_in_use` while a source uses it, unless forced: such sources then fail with `account_missing`. */
  deleteAccount(id: string, options?: { readonly force?: boolean }): Promise<void>;
}
