import type { Schema } from "../route.ts";
import { record, schemaRef } from "./shapes.ts";

const text = (description: string): Schema => ({ type: "string", description });
const whole = (description: string): Schema => ({ type: "integer", description });

const identity = { id: text("Starts with `u_`."), username: { type: "string" }, email: { type: "string" } };
const period = {
  billing_period_start_ts: whole("Epoch seconds."),
  billing_period_end_ts: whole("Epoch seconds; the period ends before it."),
};
const entry = { ...identity, ...period, created_at: whole("Epoch seconds.") };
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
export const userSchemas: Readonly<Record<string, Schema>> = {
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
    ...record({ token: text("Signs in once."), expires_at: whole("Epoch seconds.") }),
    examples: [{ token: "9nJd0cV8yTqLm7RzWb5NkXa1DsEhG9uP", expires_at: 1_795_201_800 }],
  },
  Session: {
    ...record({
      session_key: text("A bearer key; starts with `xs_`."),
      expires_at: whole("Epoch seconds."),
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
