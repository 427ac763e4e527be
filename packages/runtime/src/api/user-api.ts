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
  user(): Promise<UserView>;

  saveComponent(input: CodeInput, noted?: NoteFiles): Promise<SavedComponent>;
  component(idOrKey: string): Promise<SavedComponent>;
  /** What a component was made of, and what runs. */
  componentTexts(idOrKey: string): Promise<ComponentTexts>;

  /** Choices for a prop. Rejects only for what the caller did: an unknown prop, values that do not fit. */
  configure(input: ConfigureInput): Promise<OptionsAnswer>;
  /** The props that a component adds for what is configured; kept in memory under an id, for `deploy` and `update`. */
  dynamicProps(input: DynamicPropsInput): Promise<DynamicPropsAnswer>;

  deploy(input: DeployInput): Promise<SourceView>;
  update(id: string, input: UpdateInput): Promise<SourceView>;
  delete(id: string, options?: { ignoreHookErrors?: boolean }): Promise<void>;
  source(id: string): Promise<SourceView>;
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
  /** Forgets which ids a source has emitted, on every channel (contract 4.3). */
  resetDedupe(sourceId: string): Promise<void>;

  /**
   * Registers a workflow; before `start`, or nothing of what is for it happens until then. The same id again, also in a
   * later process, keeps its events, subscriptions, db and endpoint. Rejects with `invalid_workflow`; with
   * `invalid_parameter` for its settings.
   */
  workflow(input: WorkflowInput): Promise<WorkflowView>;
  /** A workflow of this or a former process. */
  findWorkflow(id: string): Promise<WorkflowView>;
  /** Newest first. */
  workflows(page: Page): Promise<Paged<WorkflowView>>;
  /** With everything it has. */
  deleteWorkflow(id: string): Promise<void>;

  /** Runs a source or workflow now. Rejects with `inactive` when it is paused, `queue_full`, and `store_failed`: it is then tried again. */
  invoke(id: string, input?: InvokeInput): Promise<Execution>;

  /** Stored events, newest first, at most the retained ones. */
  storedEvents(sourceId: string, stream: StreamKind, page: EventPage): Promise<Paged<StoredEvent>>;
  /** Removes an inclusive range; resolves when accepted, removal follows (R096). */
  deleteEvents(sourceId: string, stream: StreamKind, range: EventRange): Promise<void>;
  /**
   * Events as they are committed, from the call on or after an id, without a hole. Ends on abort, on close, when the API key
   * of the filter stops working, and when more events wait for a slow listener than its backlog holds; those that wait still
   * come, and `after` the last of them goes on.
   */
  events<Payload = unknown>(filter?: EventsFilter): AsyncIterableIterator<LiveEvent<Payload>>;

  /** The same twice gives the one there is. Emitter and listener must exist, the emitter also as a glob. */
  subscribe(input: SubscriptionInput): Promise<Subscription>;
  /** The event name must be the one that was given. */
  unsubscribe(input: SubscriptionInput): Promise<void>;
  /** Newest first. */
  subscriptions(): Promise<readonly Subscription[]>;
  /** Subscribes the listener to every source that is created from now on (R102). */
  autoSubscribe(input: AutoSubscriptionInput): Promise<AutoSubscription>;
  removeAutoSubscription(input: AutoSubscriptionInput): Promise<void>;
  /** Newest first. */
  autoSubscriptions(): Promise<readonly AutoSubscription[]>;

  /** The only answer, beside that of `rotateWebhookKey`, with a signing key. */
  createWebhook(input: NewWebhook): Promise<Webhook>;
  webhook(id: string): Promise<WebhookView>;
  /** Newest first. */
  webhooks(page: Page): Promise<Paged<WebhookView>>;
  updateWebhook(id: string, change: WebhookChange): Promise<WebhookView>;
  /** With its subscriptions and deliveries. */
  deleteWebhook(id: string): Promise<void>;
  /** Gives it a new signing key; the one before signs for a day too (G12). */
  rotateWebhookKey(id: string): Promise<Webhook>;
  /** Newest first; of those that ended, only the newest are kept. */
  deliveries(webhookId: string, page: Page): Promise<Paged<Delivery>>;
  /** One more attempt now. Rejects with `inactive` when the webhook is. */
  redeliver(webhookId: string, deliveryId: string): Promise<Delivery>;

  createAccount(input: NewAccount): Promise<AccountView>;
  /** Newest first; of one app, or of all. */
  accounts(page: Page, options?: { readonly app?: string }): Promise<Paged<AccountView>>;
  /** Runs that begin afterwards have the new credentials. */
  updateAccount(id: string, change: AccountChange): Promise<AccountView>;
  /** Rejects with `account_in_use` while a source uses it, unless forced: such sources then fail with `account_missing`. */
  deleteAccount(id: string, options?: { readonly force?: boolean }): Promise<void>;
}
