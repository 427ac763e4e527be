import type { Json, RequestEntry } from "@x/model";

/** What requests to an app's endpoint have to prove, and who reads them. Replaces what was set before. */
export interface AppEndpointInput {
  /** Slug, as in app props. */
  readonly app: string;
  /** A service whose scheme and reader are built in. Default: the one of the app. */
  readonly service?: string;
  /** A row of the table of schemes, or `hmac`, `token`, `basic` or `none` with their parameters. Default: the service's. */
  readonly scheme?: string;
  /** One to four secrets; `{"__secret": true}` stands for the stored ones. */
  readonly secret?: unknown;
  /** Code of a module with `receive`, in place of the reader of the service. */
  readonly code?: string;
  /** Addresses accounts of all users, strictly by address. Only of the first user. */
  readonly allUsers?: boolean;
  readonly header?: string;
  readonly query?: string;
  readonly prefix?: string;
  readonly algorithm?: string;
  readonly encoding?: string;
  readonly signed?: string;
  readonly timestamp?: string;
  readonly unit?: string;
  /** Seconds. */
  readonly tolerance?: number;
  readonly item?: string;
  readonly challenge?: string;
  readonly verify_token?: unknown;
}

/** A source that listens to events of an app through one of its props. */
export interface AppListenerView {
  readonly sourceId: string;
  readonly prop: string;
  /** None: every event. */
  readonly names: readonly string[];
  readonly accountId: string | null;
  readonly active: boolean;
}

/** The endpoint of an app, without its secrets. */
export interface AppEndpointView {
  readonly app: string;
  readonly endpointUrl: string;
  readonly service: string | null;
  readonly scheme: string;
  /** Of the scheme, by their names. */
  readonly parameters: { readonly [name: string]: string | number };
  /** How many there are. */
  readonly secrets: number;
  /** The service that is read, or `custom`. */
  readonly reader: string;
  readonly allUsers: boolean;
  /** How many sources listen. */
  readonly sources: number;
  /** Where the URL is entered at the service: a sentence each. */
  readonly steps: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** An account that no event can be addressed to. */
export interface UnknownAccount {
  readonly id: string;
  /** Fields of `$auth`, one of which names it. */
  readonly fields: readonly string[];
}

/** The endpoint of an app, with what it received. */
export interface AppEndpointDetail extends AppEndpointView {
  /** At most 100. */
  readonly listeners: readonly AppListenerView[];
  readonly unknownAccounts: readonly UnknownAccount[];
  /** The last requests, newest first. */
  readonly recent: readonly RequestEntry[];
}

/** An event of an app from the caller. */
export interface AppEventInput {
  /** The same id within a day is a duplicate. */
  readonly id?: string;
  readonly names?: readonly string[];
  /** Parts of `$auth`, such as `{"team_id": "acme"}`. None: all accounts of the app. */
  readonly accounts?: readonly { readonly [field: string]: string }[];
  readonly data: Json;
}

/** What became of an event. */
export interface AppEventResult {
  readonly id: string | null;
  readonly duplicate: boolean;
  /** Ids of the sources that get it. */
  readonly sources: readonly string[];
}
