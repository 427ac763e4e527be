import type { CodeInput } from "./component/contract.ts";
import type {
  AutoSubscription,
  Component,
  Delivery,
  EventId,
  Execution,
  Json,
  Page,
  Paged,
  Source,
  SourceSettings,
  StoredEvent,
  StreamKind,
  Subscription,
  User,
  Webhook,
  WebhookFormat,
} from "./model.ts";
import type { Limits } from "./options.ts";
import type { SourceDb } from "./store/contract.ts";

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
  readonly emitOnDeploy?: boolean;
  readonly settings?: SourceSettings;
}

export interface UpdateInput extends ComponentReference {
  readonly name?: string;
  readonly active?: boolean;
  /** Merged by key; null unsets (G58). */
  readonly props?: { readonly [prop: string]: Json };
  readonly settings?: SourceSettings;
  /** PUT: hooks run even when nothing changes, name and active fall back to their defaults (R090, T1). */
  readonly replace?: boolean;
  readonly ignoreHookErrors?: boolean;
}

export interface InvokeInput {
  /** Default: a timer event when the source has a timer, else `{}` (G26). */
  readonly event?: Json;
  /** Runs it as a request to this HTTP interface prop: the event is what such a request gives, and `respond` works. */
  readonly httpProp?: string;
  /** Default true; false answers `queued` once the trigger is durable. */
  readonly wait?: boolean;
  readonly force?: boolean;
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

/** A source with the things that its record refers to, as callers see it. */
export interface SourceView {
  readonly source: Source;
  readonly component: Component;
  /** Contract 3.3: timers in snake case, HTTP props as `{endpoint_url}`, secrets as `{"__secret": true}`. */
  readonly configuredProps: { readonly [prop: string]: Json };
}

export interface EventPage {
  readonly limit: number;
  readonly after?: EventId;
  readonly before?: EventId;
  readonly name?: string;
}

/** A user with the counters of the current UTC day (contract 3.11). */
export interface UserView {
  readonly user: User;
  readonly dailyComputeTimeQuota: number;
  readonly dailyComputeTimeUsed: number;
  readonly dailyInvocationsQuota: number;
  readonly dailyInvocationsUsed: number;
}

/** One value of a source's db; `updatedAt` is null when the store does not tell. */
export interface DbEntry {
  readonly key: string;
  readonly value: Json;
  readonly updatedAt: number | null;
}

export interface LiveEvent {
  readonly event: StoredEvent;
  readonly source: Source;
}

export interface EventsFilter {
  readonly sourceId?: string;
  readonly stream?: StreamKind;
  /** Only this channel; empty for the default stream. */
  readonly name?: string;
  /** Most events that may wait for the listener, default 10 000. */
  readonly backlog?: number;
  readonly signal?: AbortSignal;
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

/**
 * The runtime as an embedder holds it. Every method that takes `userId` acts for the first user without it;
 * what belongs to somebody else is `not_found`. Methods reject with `XError`.
 */
export interface Runtime extends AsyncDisposable {
  /** The limits in force. */
  readonly limits: Limits;

  /** Fires timers and runs what waits in the inbox. */
  start(): Promise<void>;
  /** Stops timers, waits for runs under way (up to `drainMs`, default 10 000), closes the store. */
  close(options?: { drainMs?: number }): Promise<void>;

  authenticate(apiKey: string): Promise<User | undefined>;
  user(userId?: string): Promise<UserView>;

  saveComponent(input: CodeInput, userId?: string): Promise<Component>;
  component(idOrKey: string, userId?: string): Promise<Component>;

  deploy(input: DeployInput, userId?: string): Promise<SourceView>;
  update(id: string, input: UpdateInput, userId?: string): Promise<SourceView>;
  delete(id: string, options?: { ignoreHookErrors?: boolean }, userId?: string): Promise<void>;
  source(id: string, userId?: string): Promise<SourceView>;
  sources(page: Page, userId?: string): Promise<Paged<SourceView>>;

  /** The db of a source as a Keyv. Writes take their turn between runs; errors reject, they never look like a missing key. */
  db(sourceId: string, userId?: string): Promise<SourceDb>;

  /** The db of a source as it is now, sorted by key. */
  dbEntries(sourceId: string, userId?: string): Promise<readonly DbEntry[]>;
  /** Forgets which ids a source has emitted, on every channel (contract 4.3). */
  resetDedupe(sourceId: string, userId?: string): Promise<void>;

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
   * Events as they are committed, from now on, without a hole. Ends on abort, on close, and when more events wait for
   * a slow listener than its backlog holds; those that wait still come.
   */
  events(filter?: EventsFilter): AsyncIterableIterator<LiveEvent>;

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

  /** Resolves when nothing runs, no due trigger waits and no due delivery is on its way. */
  idle(): Promise<void>;
}
