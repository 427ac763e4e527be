// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Session, SignInToken, User, UserEntry, UserWithKey } from "./user.ts";

export interface UserRoutes {
  /** Read the user that the API key belongs to. */
  readonly "GET /users/me": {
    readonly answer: {
      readonly data: User;
    };
  };
  /** Read what the user's sources and workflows did in the last three hours, by minutes. */
  readonly "GET /users/me/activity": {
    readonly answer: {
      readonly data: {
        /** Epoch milliseconds. */
        readonly now_ms: number;
        /** When counting began, epoch milliseconds. */
        readonly since_ms: number;
        readonly minutes: readonly {
          /** Its beginning, epoch milliseconds. */
          readonly at_ms: number;
          /** Runs that ended. */
          readonly runs: number;
          /** Those that did not end well. */
          readonly failed: number;
          /** Events. */
          readonly emitted: number;
          /** Events that dedupe dropped. */
          readonly dropped: number;
          /** Time spent executing code of components. */
          readonly compute_ms: number;
          /** The longest wait of a run in the queue. */
          readonly queued_ms: number;
          /** The duration that half of the runs do not exceed, about. */
          readonly p50_ms: number;
          /** The duration that 95 % of the runs do not exceed, about. */
          readonly p95_ms: number;
        }[];
      };
    };
  };
  /** List all users, oldest first. */
  readonly "GET /users": {
    readonly query?: {
      /** Words; each is in the username or the email address, or begins the id, in any case. */
      readonly q?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly UserEntry[];
    };
  };
  /** Add a user. */
  readonly "POST /users": {
    readonly body: {
      /** 1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit. */
      readonly username: string;
      /** An email address. */
      readonly email?: string | undefined;
      /** Epoch seconds. */
      readonly billing_period_start_ts?: number | undefined;
      /** Epoch seconds after the start. */
      readonly billing_period_end_ts?: number | undefined;
    };
    readonly answer: {
      readonly data: UserWithKey;
    };
  };
  /** Rotate the API key of a user; the old key stops working at once. */
  readonly "POST /users/{id}/rotate_key": {
    readonly path: { readonly id: string };
    readonly answer: {
      readonly data: UserWithKey;
    };
  };
  /** Sign in to the inspector. */
  readonly "POST /sessions": {
    readonly body?: {
      /** The token of a sign-in link. */
      readonly token?: string | undefined;
      /** An API key. */
      readonly api_key?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Session;
    };
  };
  /** Sign out of the inspector. */
  readonly "DELETE /sessions": {
    readonly answer: undefined;
  };
  /** Make a token for a sign-in link. */
  readonly "POST /sessions/tokens": {
    readonly answer: {
      readonly data: SignInToken;
    };
  };
}
