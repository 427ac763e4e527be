import type * as Rest from "@x/client";
import type { RecentActivity, User, UserEntry, UserView } from "@x/runtime";

import { decimal, record, type Schema, schemaRef, seconds, text, whole } from "./shapes.ts";
import { toSeconds, viewBy } from "./view.ts";

const identity = { id: text("Starts with `u_`."), username: { type: "string" }, email: { type: "string" } };
const period = {
  billing_period_start_ts: seconds,
  billing_period_end_ts: whole("Epoch seconds; the period ends before it."),
};
const entry = { ...identity, ...period, created_at: seconds };
const ofPaidAccounts = Object.keys(period);

const identityExample = { id: "u_c3R8vQ1mXa", username: "local", email: "local@localhost" };
const freeExample = {
  ...identityExample,
  api_key: "the-key-you-sent",
  daily_compute_time_quota: Number.MAX_SAFE_INTEGER,
  daily_compute_time_used: 1_204,
  daily_invocations_quota: Number.MAX_SAFE_INTEGER,
  daily_invocations_used: 37,
};
const paidExample = {
  ...identityExample,
  billing_period_start_ts: 1_793_491_200,
  billing_period_end_ts: 1_796_083_200,
  billing_period_invocations: 4_211,
};
const entryExample = { ...identityExample, created_at: 1_795_200_000 };

/** Schemas of users and their accounts, by name. */
export const userSchemas: Readonly<
  Record<"User" | "FreeUser" | "PaidUser" | "UserEntry" | "UserWithKey" | "SignInToken" | "Session", Schema>
> = {
  User: { oneOf: [schemaRef("FreeUser"), schemaRef("PaidUser")], examples: [freeExample, paidExample] },
  FreeUser: {
    ...record({
      ...identity,
      api_key: text("The key of this account."),
      daily_compute_time_quota: whole("Milliseconds."),
      daily_compute_time_used: whole("Milliseconds since 00:00 UTC."),
      daily_invocations_quota: { type: "integer" },
      daily_invocations_used: whole("Since 00:00 UTC."),
    }),
    examples: [freeExample],
  },
  PaidUser: {
    ...record({
      ...identity,
      ...period,
      billing_period_invocations: whole("On the UTC days of the period, the first and the last included."),
    }),
    examples: [paidExample],
  },
  UserEntry: { ...record(entry, ofPaidAccounts), examples: [entryExample] },
  UserWithKey: {
    ...record({ ...entry, api_key: text("The new key of this account.") }, ofPaidAccounts),
    examples: [{ ...entryExample, api_key: "3fJ0cV8yTqLm7RzWb5NkXa1DsEhG9uPoIi2KtYvC" }],
  },
  SignInToken: {
    ...record({ token: text("Signs in once."), expires_at: seconds }),
    examples: [{ token: "9nJd0cV8yTqLm7RzWb5NkXa1DsEhG9uP", expires_at: 1_795_201_800 }],
  },
  Session: {
    ...record({
      session_key: text("A bearer key; starts with `xs_`."),
      expires_at: seconds,
      user: record({ id: identity.id, username: identity.username }),
      first_user: { type: "boolean", description: "The user is the first one, who manages the others." },
      manual_clock: { type: "boolean", description: "The service has a manual clock, and this user may move it." },
    }),
    examples: [
      {
        session_key: "xs_9nJd0cV8yTqLm7RzWb5NkXa1DsEhG9uP",
        expires_at: 1_795_243_200,
        user: { id: "u_c3R8vQ1mXa", username: "local" },
        first_user: true,
        manual_clock: false,
      },
    ],
  },
};

const viewBilling = ({ periodStart, periodEnd }: NonNullable<UserEntry["billing"]>) => ({
  billing_period_start_ts: toSeconds(periodStart),
  billing_period_end_ts: toSeconds(periodEnd),
});

/** A user as the first user sees it. */
export const viewUserEntry = (user: UserEntry): Rest.UserEntry => ({
  id: user.id,
  username: user.username,
  email: user.email,
  ...(user.billing && viewBilling(user.billing)),
  created_at: toSeconds(user.createdAt),
});

/** A user with a new API key. */
export const viewUserWithKey = (user: User): Rest.UserWithKey => ({ ...viewUserEntry(user), api_key: user.apiKey });

/** The user of a key: a free or a paid account. Compute time is in milliseconds. */
export function viewUser(view: UserView): Rest.User {
  const { id, username, email } = view.user;
  if (view.user.billing)
    return {
      id,
      username,
      email,
      ...viewBilling(view.user.billing),
      billing_period_invocations: view.billingPeriodInvocations ?? 0,
    };
  return {
    id,
    username,
    email,
    api_key: view.user.apiKey,
    daily_compute_time_quota: Math.round(view.dailyComputeTimeQuota),
    daily_compute_time_used: Math.round(view.dailyComputeTimeUsed),
    daily_invocations_quota: view.dailyInvocationsQuota,
    daily_invocations_used: view.dailyInvocationsUsed,
  };
}

const minute = record({
  at_ms: decimal("Its beginning, epoch milliseconds."),
  runs: whole("Runs that ended."),
  failed: whole("Those that did not end well."),
  emitted: whole("Events."),
  dropped: whole("Events that dedupe dropped."),
  compute_ms: decimal("Time spent executing code of components."),
  queued_ms: decimal("The longest wait of a run in the queue."),
  p50_ms: decimal("The duration that half of the runs do not exceed, about."),
  p95_ms: decimal("The duration that 95 % of the runs do not exceed, about."),
});

/** What a user's sources did, by minutes. */
export const activity: Schema = record({
  now_ms: decimal("Epoch milliseconds."),
  since_ms: decimal("When counting began, epoch milliseconds."),
  minutes: {
    type: "array",
    items: minute,
  },
});

const minuteView = viewBy<Rest.DataOf<"GET /users/me/activity">["minutes"][number], "at_ms">(minute);

export const viewRecentActivity = ({ now, since, minutes }: RecentActivity): Rest.DataOf<"GET /users/me/activity"> => ({
  now_ms: now,
  since_ms: since,
  minutes: minutes.map((given) => minuteView(given, { at_ms: given.at })),
});
