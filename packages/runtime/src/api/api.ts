import type { ComponentReference, PropTexts } from "@x/components";
export type { PropTexts } from "@x/components";
export type {
  ComponentReference,
  PublishInput,
  PublishedComponent,
  RegistryEntry,
  RegistryItem,
  RegistryList,
  RegistryProgress,
} from "@x/components";
import type { StoredExecution } from "./executions-api.ts";
import type {
  BillingPeriod,
  Component,
  ComponentWarning,
  ComponentTexts,
  Delivery as DeliveryRecord,
  DeliveryAttempt,
  EventIdText as EventId,
  ListFilter,
  GuestError,
  Json,
  LogRecord,
  ProjectResource,
  PropShape,
  Source as SourceRecord,
  SourceSettings,
  SourceWebhook,
  User,
  Webhook,
  WebhookFormat,
} from "@x/model";

/** A deployed component. */
export interface Source extends Omit<SourceRecord, "endpoints"> {
  /** URL of each HTTP interface prop, by the name of the prop. */
  readonly endpoints: { readonly [prop: string]: string };
}

export interface DeployInput extends ComponentReference {
  /** Default: the name of the component, slugged. */
  readonly name?: string;
  /** Values by prop name; default: the defaults that the component declares. */
  readonly props?: { readonly [prop: string]: Json };
  /**
   * Values as a person types them, each read by the type of its prop: `["12345"]` of a string prop is that text. A list takes
   * several texts, or commas. They override `props`.
   */
  readonly propTexts?: PropTexts;
  /**
   * "update" changes the user's source with this name, if there is one, as `update` does: id, endpoints, db and events stay,
   * and `props` are merged. Default "add": a new source, with a number in its slug.
   */
  readonly ifExists?: "add" | "update";
  /** Ids of accounts for the app props of the component, by app, or by prop when two props have the same app. */
  readonly accounts?: AccountsByApp;
  /** False drops the events of the deploy hook; default true. */
  readonly emitOnDeploy?: boolean;
  /** Overrides of the runtime's limits for this source; default: none. */
  readonly settings?: SourceSettings;
  /** Id from `dynamicProps`; absent: `additionalProps` is called when a prop with `reloadProps` is configured. */
  readonly dynamicPropsId?: string;
  /** Subscribes the user's active webhook with this URL, or a new one, to the events of the source, also those of its deploy hook. */
  readonly webhookUrl?: string;
  /** The state of a source that was deployed before, here or elsewhere. No hook runs. */
  readonly restored?: RestoredState;
}

/** Ids of accounts by app, or by app prop. */
export type AccountsByApp = { readonly [appOrProp: string]: string };

/** The new record of a project. */
export interface ProjectInput {
  /** That of the record which it replaces; 0 for a new project. */
  readonly revision: number;
  readonly resources: readonly ProjectResource[];
}

/** One thing that an update would change. */
export interface SourceDifference {
  /** "component", "name", "active", "settings", or `props.<name>`. */
  readonly field: string;
  /** Absent when there was none; a secret is `{"__secret": true}`. */
  readonly from?: Json;
  readonly to?: Json;
}

/** What an update would do. */
export interface SourceComparison {
  readonly changes: readonly SourceDifference[];
  /** Defaults of a new version that the source would not take; absent when there are none. */
  readonly warnings?: readonly ComponentWarning[];
}

/** What a deploy by name would do. */
export interface DeployComparison extends SourceComparison {
  readonly change: "created" | "updated" | "unchanged";
  /** The source with the name; null when it would be created. */
  readonly id: string | null;
  readonly nameSlug: string;
  /** Also "webhook": the URL that would get what the source emits. */
  readonly changes: readonly SourceDifference[];
}

/** The state that a source begins with. */
export interface RestoredState {
  /** The values of its db. Default: none. */
  readonly db?: { readonly [key: string]: Json };
  /** The ids that dedupe remembers, oldest first, by channel; the default stream is the channel "". Default: none. */
  readonly dedupeIds?: { readonly [channel: string]: readonly string[] };
}

/** Absent fields stay unchanged. */
export interface UpdateInput extends ComponentReference {
  readonly name?: string;
  /** False pauses the source, true resumes it. */
  readonly active?: boolean;
  /** Merged by prop name; null removes a value. */
  readonly props?: { readonly [prop: string]: Json };
  /** As in `DeployInput`. */
  readonly propTexts?: PropTexts;
  /** As in `DeployInput`. */
  readonly accounts?: AccountsByApp;
  readonly settings?: SourceSettings;
  /** As PUT does: hooks run even without a change, and absent `name` and `active` get their defaults. Default false. */
  readonly replace?: boolean;
  /** Makes the change even when a hook throws; default false. */
  readonly ignoreHookErrors?: boolean;
  /** Id from `dynamicProps`; absent: `additionalProps` is called when props or code change. */
  readonly dynamicPropsId?: string;
}

export interface InvokeInput {
  /**
   * Default: a timer event when the source has a timer, else `{}`. For a source with an HTTP interface, a request or a part of
   * one, such as `{ body: { id: 7 } }`, is sent to it; without a timer the default is a POST of its `sampleEmit`, else of `{}`.
   */
  readonly event?: Json;
  /** Without `event`: the time of the timer event, epoch ms; default: now. */
  readonly tickAt?: number;
  /** Runs the source as for a request to this HTTP prop: `event` has the form of a request event, and `respond` works. */
  readonly httpProp?: string;
  /** Waits for the end of the run; false resolves with status `queued` once the trigger is stored. Default true. */
  readonly wait?: boolean;
  /** Runs a paused source too; default false. */
  readonly force?: boolean;
}

/** What is configured: a saved component by id or key, or a deployed source. */
export type ConfigureTarget = { readonly id: string } | { readonly sourceId: string };

/** The prop whose options are requested: of a saved component by id or key, or of a source with its configured props. */
export type ConfigureInput = ConfigureTarget & {
  readonly propName: string;
  /** Values configured so far; they override those of the source. May be incomplete. */
  readonly configuredProps?: { readonly [prop: string]: Json };
  /** Page number, from 0. */
  readonly page?: number;
  /** The `context` of the previous page. */
  readonly prevContext?: Json;
  readonly query?: string;
  /** From `dynamicProps`. */
  readonly dynamicPropsId?: string;
};

/** Options of a prop. Errors of the component are in `errors`. */
export interface OptionsAnswer {
  readonly options: readonly { readonly label: string; readonly value: Json }[];
  /** The values, when the component returned only strings. */
  readonly stringOptions: readonly string[] | null;
  /** `prevContext` of the next page; null when the component returned none. */
  readonly context: Json;
  /** Console output of the component. */
  readonly observations: readonly LogRecord[];
  readonly errors: readonly GuestError[];
}

export type DynamicPropsInput = ConfigureTarget & {
  /** Values configured so far; they override those of the source. May be incomplete. */
  readonly configuredProps?: { readonly [prop: string]: Json };
  /** Id of the previous answer, whose props `additionalProps` receives. */
  readonly dynamicPropsId?: string;
};

/** All props of a component, with the props that `additionalProps` adds. */
export interface DynamicPropsAnswer {
  /** Null when `additionalProps` failed. */
  readonly dynamicProps: { readonly id: string; readonly configurableProps: readonly PropShape[] } | null;
  readonly observations: readonly LogRecord[];
  readonly errors: readonly GuestError[];
}

/** An HTTP request to an endpoint. `path` is relative to the endpoint. */
export interface EndpointRequest {
  readonly method: string;
  readonly path: string;
  /** Path and query as the client sent them, for the stored execution. Default: those of `url`. */
  readonly target?: string;
  /** Such as `1.1`, for the stored execution. */
  readonly httpVersion?: string;
  /** The full URL that the client requested. */
  readonly url: string;
  /** Query string without the question mark. */
  readonly search: string;
  /** In the case and order in which they were received. */
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

/** A source with its component and configured props. */
export interface SourceView {
  readonly source: Source;
  /** After an update its warnings include the defaults of a new version that the source has not taken. */
  readonly component: Component;
  /** Timers in snake case, HTTP props as `{endpoint_url}`, secrets as `{"__secret": true}`. */
  readonly configuredProps: { readonly [prop: string]: Json };
  /** Whether its endpoints have another base URL than when `activate` last ended; `reactivate` registers them anew. */
  readonly endpointChanged: boolean;
  /** Set after a deploy with `webhookUrl`. */
  readonly webhook?: SourceWebhook;
  /** Set after a deploy with `ifExists: "update"`. */
  readonly change?: "created" | "updated" | "unchanged";
}

export interface NewUser {
  /** 1 to 64 characters of a-z, 0-9, dot, hyphen and underscore; unique. */
  readonly username: string;
  /** Default: `<username>@localhost`. */
  readonly email?: string;
  /** Makes the user a paid account. Invocations are counted by whole UTC days, from the day of the start to the day of the end. */
  readonly billing?: BillingPeriod;
}

/** A user with the counters of the current UTC day. */
export interface UserView {
  readonly user: User;
  readonly dailyComputeTimeQuota: number;
  readonly dailyComputeTimeUsed: number;
  readonly dailyInvocationsQuota: number;
  readonly dailyInvocationsUsed: number;
  /** Only for a paid account. */
  readonly billingPeriodInvocations?: number;
}

/** A user without the API key, which only its owner can see. */
export type UserEntry = Omit<User, "apiKey">;

/** How one delivery is sent again. */
export interface Redelivery {
  /** Waits for the end of the attempt. Default: false. */
  readonly wait?: boolean;
}

/** Which deliveries of a webhook are sent again. */
export interface RedeliveryFilter {
  /** Default: `dead`. */
  readonly status?: "dead" | "delivered";
  /** Created then or later, epoch ms. */
  readonly since?: number;
  /** Created then or earlier, epoch ms. */
  readonly until?: number;
  /** The newest so many. */
  readonly limit?: number;
}

/** What a source or workflow does now, and did in the last day. */
export interface SourceActivity {
  /** The next five times at which its timer fires, epoch ms; empty without a timer, or while it is paused. */
  readonly nextTicksAt: readonly number[];
  /** Triggers that wait for their run. */
  readonly queueDepth: number;
  /** Stored events of each of the last 24 hours, oldest first; the last one is the present hour (UTC), which is not over. */
  readonly eventsPerHour: readonly number[];
  /** The same for the records of `$errors`. */
  readonly failuresPerHour: readonly number[];
  /** Undefined when none is stored. */
  readonly lastExecution: StoredExecution | undefined;
}

/** One value of a source's db; `updatedAt` in epoch ms, null when the store does not record it. */
export interface DbEntry {
  readonly key: string;
  readonly value: Json;
  readonly updatedAt: number | null;
}

/** An emitter, a listener and the name of the events. */
export interface SubscriptionInput {
  /** A source or workflow, or one of the globs `dc_*` and `p_*`. */
  readonly emitterId: string;
  /** A source, workflow or webhook. */
  readonly listenerId: string;
  /** Default: empty, for the default stream. */
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

/** Absent fields stay unchanged. */
export interface WebhookChange extends Partial<NewWebhook> {
  readonly active?: boolean;
}

/** One event on its way to one webhook. */
export interface Delivery extends Omit<DeliveryRecord, "eventId"> {
  readonly eventId: EventId;
}

/** A delivery with its event. */
export interface DeliveryDetail extends Delivery {
  /** JSON text. */
  readonly payload: string;
}

/** A webhook without its keys, which are shown only once. */
export type WebhookView = Omit<Webhook, "signingKey" | "previousKeys">;

/** What became of the deliveries of a webhook. */
export interface WebhookActivity {
  readonly pending: number;
  /** When the first pending one was created, epoch ms; null for none. */
  readonly oldestPendingAt: number | null;
  /** Pending ones that are about to be sent. */
  readonly due: number;
  readonly dead: number;
  /** Since then the two next ones count, epoch ms: 24 hours, or as far back as all delivered ones are stored. */
  readonly since: number;
  readonly delivered: number;
  /** Those that have failed so far, or for good. */
  readonly failed: number;
  /** Undefined before the first attempt. */
  readonly lastAttempt: DeliveryAttempt | undefined;
}

/** Which sources are wanted. `failing`: those with errors in the last 24 hours. */
export interface SourceFilter extends ListFilter {
  readonly status?: "active" | "paused" | "failing";
  /** The slug of an app: only sources that listen to its events. */
  readonly app?: string;
}

/** Which webhooks are wanted. `failing`: the last attempt of an active one failed; `dead`, `pending`: it has such deliveries. */
export interface WebhookFilter extends ListFilter {
  readonly status?: "failing" | "dead" | "pending" | "paused";
}
