import type { Verification } from "./verification.ts";

/** The one URL that the service of an app calls with its events. */
export interface AppEndpoint {
  readonly userId: string;
  /** As in app props; unique for the user. */
  readonly slug: string;
  /** Part of the URL. */
  readonly key: string;
  /** Whose requests the built-in reader reads; absent with a reader of the user's alone. */
  readonly service?: string;
  /** Encrypted in the store. */
  readonly verification: Verification;
  readonly reader?: AppReader;
  /** Addresses accounts of all users, and only by their addresses. */
  readonly allUsers: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A reader of the user's: a module that turns a request into events. */
export interface AppReader {
  readonly code: string;
  readonly bundle: string;
  /** Of the bundle. */
  readonly hash: string;
  readonly sourceMap: string;
}

/** What a source listens to through an app prop: a row for each name; an empty one stands for every event. */
export interface AppListener {
  readonly app: string;
  readonly name: string;
  readonly userId: string;
  readonly sourceId: string;
  readonly prop: string;
  /** Empty without an account. */
  readonly accountId: string;
  readonly active: boolean;
}

/** The events of an app that a source listens to through one prop. */
export interface SourceAppEvents {
  readonly app: string;
  /** The app prop. */
  readonly appProp: string;
  /** None: every event. */
  readonly names: readonly string[];
  readonly accountId?: string;
}

/** A field of an account's `$auth` that events can be addressed to. The value is a digest where secrets are encrypted. */
export type IdentityField = readonly [name: string, value: string];

/** What an account is addressed by. */
export interface AccountIdentity {
  readonly accountId: string;
  readonly userId: string;
  readonly app: string;
  readonly fields: readonly IdentityField[];
}

/** How a request to an endpoint ended. */
export interface RequestEntry {
  readonly at: number;
  readonly outcome: "delivered" | "duplicate" | "unmatched" | "challenge" | "rejected" | "unreadable" | "failed";
  readonly reason?: string;
  readonly names: readonly string[];
  readonly eventId?: string;
  /** Triggers that were stored, and those that full inboxes did not take. */
  readonly triggers: number;
  readonly skipped: number;
  readonly durationMs: number;
}

/** The app event that led to a trigger. */
export interface AppOrigin {
  readonly app: string;
  readonly names: readonly string[];
  readonly eventId?: string;
}
