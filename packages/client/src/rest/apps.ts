// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

/** The one URL that the service of an app calls. */
export interface AppEndpoint {
  /** Slug, as in app props. */
  readonly app: string;
  /** The URL that the service calls. */
  readonly endpoint_url: string;
  /** The service whose scheme and reader are built in. */
  readonly service: string | null;
  /** How its requests prove who sent them; `none`: they do not. */
  readonly scheme: string;
  /** Of the scheme, by their names. */
  readonly parameters: { readonly [name: string]: Json };
  /** How many there are. They are never shown. */
  readonly secrets: number;
  /** The service that is read, or `custom`. */
  readonly reader: string;
  /** True when it addresses accounts of all users. */
  readonly all_users: boolean;
  /** How many sources listen. */
  readonly sources: number;
  /** Where the URL is entered at the service, a sentence each. */
  readonly steps: readonly string[];
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
}

/** An endpoint with who listens and what it received. */
export interface AppEndpointDetail {
  /** Slug, as in app props. */
  readonly app: string;
  /** The URL that the service calls. */
  readonly endpoint_url: string;
  /** The service whose scheme and reader are built in. */
  readonly service: string | null;
  /** How its requests prove who sent them; `none`: they do not. */
  readonly scheme: string;
  /** Of the scheme, by their names. */
  readonly parameters: { readonly [name: string]: Json };
  /** How many there are. They are never shown. */
  readonly secrets: number;
  /** The service that is read, or `custom`. */
  readonly reader: string;
  /** True when it addresses accounts of all users. */
  readonly all_users: boolean;
  /** How many sources listen. */
  readonly sources: number;
  /** Where the URL is entered at the service, a sentence each. */
  readonly steps: readonly string[];
  /** Epoch seconds. */
  readonly created_at: number;
  /** Epoch seconds. */
  readonly updated_at: number;
  /** At most 100. */
  readonly listeners: readonly AppListener[];
  readonly unknown_accounts: readonly UnknownAccount[];
  /** The last requests, newest first. */
  readonly recent: readonly ReceivedRequest[];
}

/** What became of an event. */
export interface AppEventResult {
  /** Null for an event without one. */
  readonly id: string | null;
  readonly duplicate: boolean;
  /** Ids of the sources that get it. */
  readonly sources: readonly string[];
}

/** A source that listens to events of an app. */
export interface AppListener {
  readonly source_id: string;
  /** The prop that listens. */
  readonly prop: string;
  /** None: every event. */
  readonly event_names: readonly string[];
  /** Null without an account: no event is for the source then. */
  readonly account_id: string | null;
  readonly active: boolean;
}

/** How a request to an endpoint ended. */
export interface ReceivedRequest {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: "delivered" | "duplicate" | "unmatched" | "challenge" | "rejected" | "unreadable" | "failed";
  /** Why it was refused, or reached no source. */
  readonly reason: string | null;
  /** Names of its events, at most 16. */
  readonly names: readonly string[];
  /** Of its first event with an id. */
  readonly event_id: string | null;
  /** How many runs it led to. */
  readonly triggers: number;
  /** How many runs full inboxes did not take. */
  readonly skipped: number;
  /** Until it was stored. */
  readonly duration_ms: number;
}

/** An account that no event can be addressed to. */
export interface UnknownAccount {
  readonly id: string;
  /** Fields of `$auth`; one of them has to be set. */
  readonly fields: readonly string[];
}
