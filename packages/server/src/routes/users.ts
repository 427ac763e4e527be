import { type BillingPeriod, XError } from "@x/runtime";

import { jsonAnswer } from "@x/http";
import {
  allOf,
  dataOf,
  record,
  activity,
  viewRecentActivity,
  viewUser,
  viewUserEntry,
  viewUserWithKey,
} from "@x/resources";
import { defineRoute, type Route } from "../route.ts";
import type { ParameterSchema } from "../schema.ts";
import { requireParameters } from "./parameters.ts";

interface NewUserBody {
  readonly username: string;
  readonly email?: string;
  readonly billing_period_start_ts?: number;
  readonly billing_period_end_ts?: number;
}

const latestSecond = 253_402_300_799;
const period = {
  billing_period_start_ts: { type: "integer", minimum: 0, maximum: latestSecond, description: "epoch seconds" },
  billing_period_end_ts: {
    type: "integer",
    minimum: 0,
    maximum: latestSecond,
    description: "epoch seconds after the start",
  },
} as const satisfies Readonly<Record<string, ParameterSchema>>;

const tag = "User";
const description = "Only the first user has this path: it was made with the data folder.";

/** The billing period in epoch milliseconds; undefined without one. Throws unless both ends are given. */
function readPeriod(body: NewUserBody): BillingPeriod | undefined {
  const { billing_period_start_ts, billing_period_end_ts } = body;
  if (billing_period_start_ts === undefined && billing_period_end_ts === undefined) return undefined;
  const given = { billing_period_start_ts, billing_period_end_ts };
  requireParameters(given, period);
  const { billing_period_start_ts: start, billing_period_end_ts: end } = given;
  if (start < end) return { periodStart: start * 1000, periodEnd: end * 1000 };
  const [name, expected] = ["billing_period_end_ts", `more than billing_period_start_ts ${start}`];
  throw new XError("invalid_parameter", [name, expected, String(end)]);
}

/** The user of a key, and the management of users, which only the first user may do. */
export const usersRoutes: readonly Route[] = [
  defineRoute({
    name: "readUser",
    tag: "User",
    method: "GET",
    path: "/users/me",
    summary: "Read the user that the API key belongs to",
    description:
      "A paid account has a billing period with its number of invocations, instead of the key and the daily counters.",
    answer: { status: 200, description: "The user.", schema: dataOf("User") },
    async handle({ runtime, resource }) {
      return resource(200, viewUser(await runtime.user()));
    },
  }),
  defineRoute({
    name: "readActivity",
    tag: "User",
    method: "GET",
    path: "/users/me/activity",
    summary: "Read what the user's sources and workflows did in the last three hours, by minutes",
    description: "Counts begin when the service starts. Only minutes with runs or hooks are listed, oldest first.",
    answer: { status: 200, description: "The minutes.", schema: record({ data: activity }) },
    async handle({ runtime, resource }) {
      return resource(200, viewRecentActivity(await runtime.recentActivity()));
    },
  }),
  defineRoute({
    name: "listUsers",
    tag,
    method: "GET",
    path: "/users",
    firstUserOnly: true,
    summary: "List all users, oldest first",
    description: `${description} Keys are not shown.`,
    answer: {
      status: 200,
      description: "All users, without pages.",
      schema: allOf("UserEntry"),
    },
    async handle({ service, select }) {
      return jsonAnswer(200, { data: (await service.users()).map((user) => select(viewUserEntry(user))) });
    },
  }),
  defineRoute({
    name: "addUser",
    tag,
    method: "POST",
    path: "/users",
    firstUserOnly: true,
    summary: "Add a user",
    description: [
      `${description} A billing period makes it a paid account, whose invocations are counted by UTC days, the first and`,
      "the last included. The answer shows the API key; later only the user itself is shown it, if it is not a paid one.",
    ].join("\n"),
    errors: ["username_taken"],
    body: {
      username: {
        type: "string",
        maxLength: 1_000,
        description: "1 to 64 of a-z, 0-9, dot, hyphen and underscore that begin with a letter or digit",
      },
      email: { type: "string", maxLength: 1_000, description: "an email address" },
      ...period,
    },
    required: ["username"],
    bodyExample: { username: "alice", email: "alice@example.com" },
    answer: { status: 200, description: "The new user.", schema: dataOf("UserWithKey") },
    async handle({ service, body, resource }) {
      const { username, email } = body;
      const billing = readPeriod(body);
      const input = { username, ...(email !== undefined && { email }), ...(billing && { billing }) };
      return resource(200, viewUserWithKey(await service.addUser(input)));
    },
  }),
  defineRoute({
    name: "rotateUserKey",
    tag,
    method: "POST",
    path: "/users/:id/rotate_key",
    firstUserOnly: true,
    summary: "Rotate the API key of a user; the old key stops working at once",
    description: `${description} The user is named by id or username. Event streams that were opened with the old key end.`,
    answer: { status: 200, description: "The user with the new key.", schema: dataOf("UserWithKey") },
    async handle({ service, params, resource }) {
      return resource(200, viewUserWithKey(await service.rotateApiKey(params.id)));
    },
  }),
];
