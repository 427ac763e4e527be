import { XError } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { defaultUrl } from "../client/service-flags.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { failureJson, failureText } from "../terminal/failure.ts";
import { hintOf } from "../arguments/nearest.ts";
import { parsePeriod, periodText } from "../arguments/quantity.ts";
import { readOrigin } from "../arguments/runtime-flags.ts";
import { jsonText, safeText } from "../terminal/visible.ts";
import { UsageError } from "../errors.ts";
import { type KeyedUser, type ListedUser, openFolderAdmin, openServiceAdmin, type UserAdmin } from "./user-admin.ts";

const verbs = ["add", "list", "rotate"] as const;
const ofAdd = ["email", "billing"] as const;

interface Order {
  readonly verb: (typeof verbs)[number];
  /** Empty for list. */
  readonly name: string;
}

function readOrder(args: Arguments): Order {
  const [word, ...names] = args.operands;
  if (word === undefined) throw new UsageError("Which one: add NAME, list or rotate NAME?");
  const verb = verbs.find((each) => each === word);
  if (!verb) throw new UsageError(`There is no x users ${word}; ${hintOf(word, verbs, "x users ")}`);
  const [name, extra] = verb === "list" ? ["", ...names] : names;
  if (name === undefined) throw new UsageError(`Which NAME: x users ${verb} NAME?`);
  if (extra !== undefined) throw new UsageError(`"${extra}" is one too many`);
  const misplaced = ofAdd.find((flag) => verb !== "add" && args.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with x users add`);
  return { verb, name };
}

function openAdmin(args: Arguments, { verb }: Order): Promise<UserAdmin> {
  const url = readOrigin(args, "url");
  if (url === undefined) {
    if (args.has("api-key")) throw new UsageError("--api-key goes with --url; a data folder needs none");
    return openFolderAdmin(args.text("data") ?? ".x", verb === "add");
  }
  if (args.has("data")) throw new UsageError("Either --url or --data");
  const apiKey = args.text("api-key") ?? environment.apiKey;
  if (apiKey === undefined)
    throw new UsageError("--url needs the API key of the service's first user: --api-key KEY, or X_API_KEY");
  return Promise.resolve(openServiceAdmin(url, apiKey));
}

function userLine({ id, username, email, ...period }: ListedUser): string {
  const { billing_period_start_ts: start, billing_period_end_ts: end } = period;
  const billed = start === undefined || end === undefined ? [] : [`billed ${periodText(start, end)}`];
  return [username, id, email, ...billed].join("  ");
}

const keyLines = ({ username, id, api_key: key }: Pick<KeyedUser, "id" | "username" | "api_key">): string =>
  `User ${username} (${id})\nAPI key (shown only now, keep it): ${key}`;

/** What an order did, to read and as JSON. */
async function carryOut(order: Order, args: Arguments, desk: UserAdmin): Promise<{ text: string; json: object }> {
  const { verb, name } = order;
  if (verb === "list") {
    const users = await desk.list();
    return { text: users.map(userLine).join("\n"), json: users };
  }
  if (verb === "rotate") {
    const user = await desk.rotate(name);
    return { text: `${keyLines(user)}\nThe key before no longer works.`, json: user };
  }
  const email = args.text("email");
  const billing = args.read("billing", parsePeriod);
  const user = await desk.add({
    username: name,
    ...(email !== undefined && { email }),
    ...(billing && {
      billing_period_start_ts: billing.start / 1000,
      billing_period_end_ts: billing.end / 1000,
    }),
  });
  return { text: keyLines(user), json: { ...user, ...(desk.made && { first_user: desk.made }) } };
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same order, to the service that has the data folder. */
function commandByUrl({ verb, name }: Order, args: Arguments): string {
  const flags = ofAdd.flatMap((flag) =>
    args
      .all(flag)
      .slice(-1)
      .flatMap((value) => [`--${flag}`, value]),
  );
  const key = environment.apiKey === undefined ? ["--api-key", "KEY"] : [];
  const json = args.has("json") ? ["--json"] : [];
  const words = ["x", "users", verb, name, ...flags, "--url", defaultUrl, ...key, ...json];
  return words
    .filter((word) => word !== "")
    .map(quoted)
    .join(" ");
}

/** What is told of a failure, beside what stands in it. */
interface Context {
  readonly order: Order;
  readonly args: Arguments;
  readonly made: UserAdmin["made"];
}

function printFailure(error: XError, { order, args, made }: Context): number {
  const exitCode = exitCodeOf(error);
  const command = error.code === "store_locked" ? commandByUrl(order, args) : undefined;
  if (args.has("json")) {
    const { error: told } = failureJson(error, exitCode);
    const more = { ...told, ...(command !== undefined && { command }) };
    console.log(jsonText({ error: more, ...(made && { first_user: made }), exit_code: exitCode }));
    return exitCode;
  }
  console.error(safeText(failureText(error)));
  if (command !== undefined)
    console.error(`The service that has it does it, by the API key of its first user:\n  ${safeText(command)}`);
  return exitCode;
}

async function users(args: Arguments): Promise<number> {
  const order = readOrder(args);
  const json = args.has("json");
  let made: UserAdmin["made"];
  try {
    await using desk = await openAdmin(args, order);
    made = desk.made;
    // Before anything can fail: nobody is told this key again.
    if (made && !json) console.log(keyLines(made));
    const done = await carryOut(order, args, desk);
    console.log(json ? jsonText(done.json, 2) : safeText(done.text));
    return exitCodes.ok;
  } catch (error) {
    if (!XError.is(error)) throw error;
    return printFailure(error, { order, args, made });
  }
}

/** `x users`: who may use a service. */
export const usersCommand: Command = {
  name: "users",
  operands: "add NAME | list | rotate NAME",
  about: "Add users, list them, give them new API keys",
  details: [
    "Works on the data folder while no service has it; while one does, on that service, with --url and the API key of",
    "its first user. Each user has sources, components, webhooks and counters of its own, and sees no others.",
    "An API key is shown once, when it is made. rotate ends the old key at once; a first user whose key comes from",
    "--api-key or X_API_KEY at x serve has that one again after the next start.",
  ].join("\n"),
  flags: [
    { name: "email", value: "ADDRESS", about: "of a new user (default NAME@localhost)" },
    { name: "billing", value: "START..END", about: "makes a paid account: days in UTC, END not included" },
    { name: "data", value: "DIR", about: "the data folder (default .x)" },
    { name: "url", value: "URL", about: `a running service instead, such as ${defaultUrl}` },
    { name: "api-key", value: "KEY", about: "with --url: key of its first user (default: X_API_KEY)" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x users add alice --email alice@example.com",
    "x users add acme --billing 2026-11-01..2026-12-01 --data /var/lib/x --json",
    `x users list --url ${defaultUrl} --api-key KEY`,
    "x users rotate alice",
  ],
  run: users,
};
