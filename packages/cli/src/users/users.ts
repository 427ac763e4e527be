import { XError } from "@x/runtime";

import type { Arguments } from "../given/arguments.ts";
import { defaultUrl } from "../client/service-flags.ts";
import type { Command } from "../command.ts";
import { environment } from "../environment.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { failureJson, failureText } from "../terminal/failure.ts";
import { hintOf } from "../given/nearest.ts";
import { parsePeriod, periodText } from "../given/quantity.ts";
import { readOrigin } from "../given/runtime-flags.ts";
import { jsonText, safeText } from "../terminal/visible.ts";
import { UsageError } from "../errors.ts";
import { type KeyedUser, type ListedUser, openFolderDesk, openServiceDesk, type UserDesk } from "./user-desk.ts";

const verbs = ["add", "list", "rotate"] as const;
const ofAdd = ["email", "billing"] as const;

interface Order {
  readonly verb: (typeof verbs)[number];
  /** Empty for list. */
  readonly name: string;
}

function readOrder(given: Arguments): Order {
  const [word, ...names] = given.operands;
  if (word === undefined) throw new UsageError("Which one: add NAME, list or rotate NAME?");
  const verb = verbs.find((each) => each === word);
  if (!verb) throw new UsageError(`There is no x users ${word}; ${hintOf(word, verbs, "x users ")}`);
  const [name, stranger] = verb === "list" ? ["", ...names] : names;
  if (name === undefined) throw new UsageError(`Which NAME: x users ${verb} NAME?`);
  if (stranger !== undefined) throw new UsageError(`"${stranger}" is one too many`);
  const misplaced = ofAdd.find((flag) => verb !== "add" && given.has(flag));
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} goes with x users add`);
  return { verb, name };
}

function openDesk(given: Arguments, { verb }: Order): Promise<UserDesk> {
  const url = readOrigin(given, "url");
  if (url === undefined) {
    if (given.has("api-key")) throw new UsageError("--api-key goes with --url; a data folder needs none");
    return openFolderDesk(given.text("data") ?? ".x", verb === "add");
  }
  if (given.has("data")) throw new UsageError("Either --url or --data");
  const apiKey = given.text("api-key") ?? environment.apiKey;
  if (apiKey === undefined)
    throw new UsageError("--url needs the API key of the service's first user: --api-key KEY, or X_API_KEY");
  return Promise.resolve(openServiceDesk(url, apiKey));
}

function userLine({ id, username, email, ...period }: ListedUser): string {
  const { billing_period_start_ts: start, billing_period_end_ts: end } = period;
  const billed = start === undefined || end === undefined ? [] : [`billed ${periodText(start, end)}`];
  return [username, id, email, ...billed].join("  ");
}

const keyLines = ({ username, id, api_key: key }: Pick<KeyedUser, "id" | "username" | "api_key">): string =>
  `User ${username} (${id})\nAPI key (shown only now, keep it): ${key}`;

/** What an order did, to read and as JSON. */
async function carryOut(order: Order, given: Arguments, desk: UserDesk): Promise<{ text: string; json: object }> {
  const { verb, name } = order;
  if (verb === "list") {
    const users = await desk.list();
    return { text: users.map(userLine).join("\n"), json: users };
  }
  if (verb === "rotate") {
    const user = await desk.rotate(name);
    return { text: `${keyLines(user)}\nThe key before no longer works.`, json: user };
  }
  const email = given.text("email");
  const billing = given.read("billing", parsePeriod);
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
function commandByUrl({ verb, name }: Order, given: Arguments): string {
  const flags = ofAdd.flatMap((flag) =>
    given
      .all(flag)
      .slice(-1)
      .flatMap((value) => [`--${flag}`, value]),
  );
  const key = environment.apiKey === undefined ? ["--api-key", "KEY"] : [];
  const json = given.has("json") ? ["--json"] : [];
  const words = ["x", "users", verb, name, ...flags, "--url", defaultUrl, ...key, ...json];
  return words
    .filter((word) => word !== "")
    .map(quoted)
    .join(" ");
}

/** What is told of a failure, beside what stands in it. */
interface Context {
  readonly order: Order;
  readonly given: Arguments;
  readonly made: UserDesk["made"];
}

function tellFailure(error: XError, { order, given, made }: Context): number {
  const exitCode = exitCodeOf(error);
  const command = error.code === "store_locked" ? commandByUrl(order, given) : undefined;
  if (given.has("json")) {
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

async function users(given: Arguments): Promise<number> {
  const order = readOrder(given);
  const json = given.has("json");
  let made: UserDesk["made"];
  try {
    await using desk = await openDesk(given, order);
    made = desk.made;
    // Before anything can fail: nobody is told this key again.
    if (made && !json) console.log(keyLines(made));
    const done = await carryOut(order, given, desk);
    console.log(json ? jsonText(done.json, 2) : safeText(done.text));
    return exitCodes.ok;
  } catch (error) {
    if (!XError.is(error)) throw error;
    return tellFailure(error, { order, given, made });
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
