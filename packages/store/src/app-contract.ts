import type { AccountIdentity, AppEndpoint, AppListener, IdentityField, RequestEntry } from "@x/model";

/** Changes of the endpoints of apps and of what they have received. */
export type AppChange =
  /** Inserts or replaces the user's endpoint of this app. */
  | { readonly op: "app_endpoint.put"; readonly endpoint: AppEndpoint }
  | { readonly op: "app_endpoint.delete"; readonly userId: string; readonly slug: string }
  /** Inserts or replaces what an account that is not stored is addressed by. */
  | { readonly op: "account.identify"; readonly identity: AccountIdentity }
  /** Refused if the app has the id already. */
  | {
      readonly op: "app_event.add";
      readonly userId: string;
      readonly slug: string;
      readonly id: string;
      readonly at: number;
    }
  /** Removes ids that are older than `before`, and all but the newest `keep`. */
  | {
      readonly op: "app_events.trim";
      readonly userId: string;
      readonly slug: string;
      readonly before: number;
      readonly keep: number;
    }
  /** `owner`: the id of a source, or a key of an app's endpoint. */
  | { readonly op: "request.add"; readonly owner: string; readonly entry: RequestEntry }
  | { readonly op: "requests.trim"; readonly owner: string; readonly keep: number };

/** Which listeners to read; what is absent restricts nothing. */
export interface AppListenerQuery {
  readonly app: string;
  readonly names?: readonly string[];
  readonly accountIds?: readonly string[];
  readonly userId?: string;
}

/** Reads of the endpoints of apps, of who listens, and of what was received. */
export interface AppReads {
  appEndpoint(userId: string, slug: string): Promise<AppEndpoint | undefined>;
  appEndpointByKey(key: string): Promise<AppEndpoint | undefined>;
  /** All endpoints of the user, by slug. */
  appEndpoints(userId: string): Promise<readonly AppEndpoint[]>;
  /** In no order. */
  appListeners(query: AppListenerQuery): Promise<readonly AppListener[]>;
  /** The accounts of an app that have one of these fields, once for each such field; all users, or one. */
  accountsWith(
    app: string,
    fields: readonly IdentityField[],
    userId?: string,
  ): Promise<readonly { readonly accountId: string; readonly field: IdentityField }[]>;
  /** The names of the fields that accounts are addressed by. */
  identityFields(
    accountIds: readonly string[],
  ): Promise<readonly { readonly accountId: string; readonly name: string }[]>;
  /** Those of the ids that the app has seen, and when. */
  seenAppEvents(
    userId: string,
    slug: string,
    ids: readonly string[],
  ): Promise<readonly { readonly id: string; readonly at: number }[]>;
  /** Newest first. */
  requests(owner: string, limit: number): Promise<readonly RequestEntry[]>;
}
