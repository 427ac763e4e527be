// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { Json } from "../basics.ts";

export interface FreeUser {
  /** Starts with `u_`. */
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** The key of this account. */
  readonly api_key: string;
  /** Milliseconds. */
  readonly daily_compute_time_quota: number;
  /** Milliseconds since 00:00 UTC. */
  readonly daily_compute_time_used: number;
  readonly daily_invocations_quota: number;
  /** Since 00:00 UTC. */
  readonly daily_invocations_used: number;
}

export interface PaidUser {
  /** Starts with `u_`. */
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Epoch seconds. */
  readonly billing_period_start_ts: number;
  /** Epoch seconds; the period ends before it. */
  readonly billing_period_end_ts: number;
  /** On the UTC days of the period, the first and the last included. */
  readonly billing_period_invocations: number;
}

export type RetryAfter = Json;

export interface Session {
  /** A bearer key; starts with `xs_`. */
  readonly session_key: string;
  /** Epoch seconds. */
  readonly expires_at: number;
  readonly user: {
    /** Starts with `u_`. */
    readonly id: string;
    readonly username: string;
  };
  /** The user is the first one, who manages the others. */
  readonly first_user: boolean;
  /** The service has a manual clock, and this user may move it. */
  readonly manual_clock: boolean;
}

export interface SignInToken {
  /** Signs in once. */
  readonly token: string;
  /** Epoch seconds. */
  readonly expires_at: number;
}

export type User = FreeUser | PaidUser;

export interface UserEntry {
  /** Starts with `u_`. */
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Epoch seconds. */
  readonly billing_period_start_ts?: number;
  /** Epoch seconds; the period ends before it. */
  readonly billing_period_end_ts?: number;
  /** Epoch seconds. */
  readonly created_at: number;
}

export interface UserWithKey {
  /** Starts with `u_`. */
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Epoch seconds. */
  readonly billing_period_start_ts?: number;
  /** Epoch seconds; the period ends before it. */
  readonly billing_period_end_ts?: number;
  /** Epoch seconds. */
  readonly created_at: number;
  /** The new key of this account. */
  readonly api_key: string;
}
