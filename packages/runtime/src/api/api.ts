import type { EventId } from "../model/event-id-text.ts";
import type { Delivery as DeliveryRecord, SourceWebhook, Webhook, WebhookFormat } from "../model/listener-model.ts";
import type {
  Account,
  BillingPeriod,
  Component,
  ComponentTexts,
  GuestError,
  Json,
  LogRecord,
  PropShape,
  Source as SourceRecord,
  SourceSettings,
  User,
} from "../model/model.ts";

/** Which component a source is made from; the first given wins in this order. */
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

/** A deployed component. */
export interface Source extends Omit<SourceRecord, "endpoints"> {
  /** URL of each HTTP interface prop, by the name of the prop. */
  readonly endpoints: { readonly [prop: string]: string };
}

export interface DeployInput extends ComponentReference {
  /** Default: the name of the component, slugged. */
  readonly name?: string;
  /** Values by the names of the props; default: those that the component declares. */
  readonly props?: { readonly [prop: string]: Json };
  /** Default true; false: what the deploy hook emits is dropped. */
  readonly emitOnDeploy?: boolean;
  /** Overrides of the runtime's limits for this source; default: none. */
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
  /** Merged by key; null unsets. */
  readonly props?: { readonly [prop: string]: Json };
  readonly settings?: SourceSettings;
  /** PUT: hooks run even when nothing changes, name and active fall back to their defaults. */
  readonly replace?: boolean;
  /** Makes the change although a hook throws. */
  readonly ignoreHookErrors?: boolean;
  /** From `dynamicProps`; absent: the component is asked when props or code change. */
  readonly dynamicPropsId?: string;
}

export interface InvokeInput {
  /** Default: a timer event when the source has a timer, else `{}`. */
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

/** Choices of a prop. What went wrong in the component is in `errors`. */
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

/** The props of a component with those that it adds now. */
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

/** One event on its way to one webhook. */
export interface Delivery extends Omit<DeliveryRecord, "eventId"> {
  readonly eventId: EventId;
}

/** A webhook without its keys, which are shown once. */
export type WebhookView = Omit<Webhook, "signingKey" | "previousKeys">;

/** Credentials for the app props of the user's sources. */
export interface NewAccount {
  /** Slug of the app, as app props name it. */
  readonly app: string;
  readonly name?: string | null;
  /** What components read as `$auth`; `{}` for apps without credentials. */
  readonly auth: { readonly [field: string]: Json };
}

/** What is absent stays as it is. */
export type AccountChange = Partial<Omit<NewAccount, "app">>;

/** An account without its credentials, which nothing shows. */
export type AccountView = Omit<Account, "auth">;
