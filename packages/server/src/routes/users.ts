import { type BillingPeriod, XError } from "@x/runtime";

import { activity, viewRecentActivity, viewUser, viewUserEntry, viewUserWithKey } from "@x/resources";
import { type Route, tagged } from "../route.ts";
import { all, one } from "../route-answer.ts";
import { searchIn, searchItems } from "../list-search.ts";
import type { ParameterSchema } from "../schema.ts";
import { requireParameters } from "./parameters.ts";

const route = tagged("User");

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
  route("GET /users/me", {
    name: "readUser",
    summary: "Read the user that the API key belongs to",
    description:
      "A paid account has a billing period with its number of invocations, instead of the key and the daily counters.",
    answer: one("User", "The user."),
    handle: async ({ runtime }) => viewUser(await runtime.user()),
  }),
  route("GET /users/me/activity", {
    name: "readActivity",
    summary: "Read what the user's sources and workflows did in the last three hours, by minutes",
    description: "Counts begin when the service starts. Only minutes with runs or hooks are listed, oldest first.",
    answer: one(activity, "The minutes."),
    handle: async ({ runtime }) => viewRecentActivity(await runtime.recentActivity()),
  }),
  route("GET /users", {
    name: "listUsers",
    firstUserOnly: true,
    summary: "List all users, oldest first",
    description: `${description} Keys are not shown.`,
    answer: all("UserEntry", "All users, without pages."),
    query: searchIn("the username or the email address, or begins the id"),
    async handle({ service, query }) {
      const found = await searchItems(
        await service.users(),
        query,
        ({ username, email }) => [username, email],
        ({ id }) => id,
      );
      return found.map(viewUserEntry);
    },
  }),
  route("POST /users", {
    name: "addUser",
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
    answer: one("UserWithKey", "The new user."),
    async handle({ service, body }) {
      const { billing_period_start_ts: _start, billing_period_end_ts: _end, ...user } = body;
      const billing = readPeriod(body);
      return viewUserWithKey(await service.addUser({ ...user, ...(billing && { billing }) }));
    },
  }),
  route("POST /users/:id/rotate_key", {
    name: "rotateUserKey",
    firstUserOnly: true,
    summary: "Rotate the API key of a user; the old key stops working at once",
    description: `${description} The user is named by id or username. Event streams that were opened with the old key end.`,
    answer: one("UserWithKey", "The user with the new key."),
    handle: async ({ service, params }) => viewUserWithKey(await service.rotateApiKey(params.id)),
  }),
];
