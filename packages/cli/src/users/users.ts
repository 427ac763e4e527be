import type { UserEntry, UserWithKey } from "@x/client";
import { XError } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { defaultUrl } from "../client/service-flags.ts";
import { readSubcommand, rejectFlags } from "../client/subcommand.ts";
import type { Command } from "../command.ts";
import { placeFlags } from "../data/place.ts";
import { environment } from "../environment.ts";
import { exitCodeOf, exitCodes } from "../exit-code.ts";
import { storeOptions } from "../serve/open-store.ts";
import { failureJson, failureText } from "../terminal/failure.ts";
import { createLogger } from "../terminal/logger.ts";
import { parsePeriod, periodText } from "../arguments/quantity.ts";
import { readOrigin } from "../arguments/runtime-flags.ts";
import { jsonText, safeText } from "../terminal/visible.ts";
import { UsageError } from "../errors.ts";
import { openFolderAdmin, openServiceAdmin, openStoreAdmin, type UserAdmin } from "./user-admin.ts";

const subcommands = { add: ["NAME"], list: [], rotate: ["NAME"] } as const;
const addFlags = ["email", "billing"] as const;

interface UserCommand {
  readonly subcommand: keyof typeof subcommands;
  /** Empty for list. */
  readonly name: string;
}

function readUserCommand(args: Arguments): UserCommand {
  const { subcommand, operands } = readSubcommand("users", subcommands, args);
  if (subcommand !== "add") rejectFlags(args, "x users add", addFlags);
  return { subcommand, name: operands[0] ?? "" };
}

function openAdmin(args: Arguments, { subcommand }: UserCommand): Promise<UserAdmin> {
  const url = readOrigin(args, "to");
  if (url === undefined) {
    if (args.has("api-key")) throw new UsageError("--api-key needs --to; a data folder needs no key");
    const data = args.text("data") ?? ".x";
    const store = args.text("store") ?? environment.store;
    if (store === undefined) return openFolderAdmin(data, subcommand === "add");
    const { secretKey } = environment;
    const logger = createLogger(args.has("json"));
    const options = storeOptions(store, { data, logger, nodes: "one", ...(secretKey !== undefined && { secretKey }) });
    return openStoreAdmin(options, subcommand === "add");
  }
  const place = ["data", "store"].find((flag) => args.has(flag));
  if (place !== undefined) throw new UsageError(`Either --to or --${place}`);
  const apiKey = args.text("api-key") ?? environment.apiKey;
  if (apiKey === undefined)
    throw new UsageError("--to needs the API key of the service's first user: --api-key KEY, or X_API_KEY");
  return Promise.resolve(openServiceAdmin(url, apiKey));
}

function userLine({ id, username, email, ...period }: UserEntry): string {
  const { billing_period_start_ts: start, billing_period_end_ts: end } = period;
  const billed = start === undefined || end === undefined ? [] : [`billed ${periodText(start, end)}`];
  return [username, id, email, ...billed].join("  ");
}

const keyLines = ({ username, id, api_key: key }: Pick<UserWithKey, "id" | "username" | "api_key">): string =>
  `User ${username} (${id})\nAPI key (shown only now, keep it): ${key}`;

/** Runs a subcommand; resolves with its result as text and as JSON. */
async function execute(
  command: UserCommand,
  args: Arguments,
  admin: UserAdmin,
): Promise<{ text: string; json: object }> {
  const { subcommand, name } = command;
  if (subcommand === "list") {
    const users = await admin.list();
    return { text: users.map(userLine).join("\n"), json: users };
  }
  if (subcommand === "rotate") {
    const user = await admin.rotate(name);
    return { text: `${keyLines(user)}\nThe old key no longer works.`, json: user };
  }
  const email = args.text("email");
  const billing = args.read("billing", parsePeriod);
  const user = await admin.add({
    username: name,
    ...(email !== undefined && { email }),
    ...(billing && {
      billing_period_start_ts: billing.start / 1000,
      billing_period_end_ts: billing.end / 1000,
    }),
  });
  return { text: keyLines(user), json: { ...user, ...(admin.firstUser && { first_user: admin.firstUser }) } };
}

const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The command that does the same by way of the running service. */
function commandByUrl({ subcommand, name }: UserCommand, args: Arguments): string {
  const flags = addFlags.flatMap((flag) =>
    args
      .all(flag)
      .slice(-1)
      .flatMap((value) => [`--${flag}`, value]),
  );
  const key = environment.apiKey === undefined ? ["--api-key", "KEY"] : [];
  const json = args.has("json") ? ["--json"] : [];
  const words = ["x", "users", subcommand, name, ...flags, "--to", defaultUrl, ...key, ...json];
  return words
    .filter((word) => word !== "")
    .map(quoted)
    .join(" ");
}

/** The context of a failure. */
interface Context {
  readonly command: UserCommand;
  readonly args: Arguments;
  readonly firstUser: UserAdmin["firstUser"];
}

function printFailure(error: XError, { command, args, firstUser }: Context): number {
  const exitCode = exitCodeOf(error);
  const retry = error.code === "store_locked" ? commandByUrl(command, args) : undefined;
  if (args.has("json")) {
    const { error: detail } = failureJson(error, exitCode);
    const more = { ...detail, ...(retry !== undefined && { command: retry }) };
    console.log(jsonText({ error: more, ...(firstUser && { first_user: firstUser }), exit_code: exitCode }));
    return exitCode;
  }
  console.error(safeText(failureText(error)));
  if (retry !== undefined)
    console.error(`Ask the service that has it open, with the API key of its first user:\n  ${safeText(retry)}`);
  return exitCode;
}

async function users(args: Arguments): Promise<number> {
  const command = readUserCommand(args);
  const json = args.has("json");
  let firstUser: UserAdmin["firstUser"];
  try {
    await using admin = await openAdmin(args, command);
    firstUser = admin.firstUser;
    // Printed before anything can fail: this key is never shown again.
    if (firstUser && !json) console.log(keyLines(firstUser));
    const done = await execute(command, args, admin);
    console.log(json ? jsonText(done.json, 2) : safeText(done.text));
    return exitCodes.ok;
  } catch (error) {
    if (!XError.is(error)) throw error;
    return printFailure(error, { command, args, firstUser });
  }
}

/** `x users`: the users of a service. */
export const usersCommand: Command = {
  operands: "add NAME | list | rotate NAME",
  details: [
    "Changes the data folder or schema while no service has it open, else the service, with --to and the API key of its first",
    "user. With --store the secret key must be given, as for x serve.",
    "Each user has its own sources, components, webhooks and counters, and sees no others. An API key is shown once, when it",
    "is created. rotate ends the old key at once; if --api-key or X_API_KEY sets the first user's key at x serve, the next",
    "start sets it again.",
  ].join("\n"),
  flags: [
    { name: "email", value: "ADDRESS", about: "add: email address (default NAME@localhost)" },
    {
      name: "billing",
      value: "START..END",
      about: "add: a paid account, billed from START to END (days in UTC, END not included)",
    },
    ...placeFlags(),
    {
      name: "to",
      alias: "url",
      value: "URL",
      about: `a running service instead of a data folder, such as ${defaultUrl}`,
    },
    { name: "api-key", value: "KEY", about: "with --to: key of its first user (default: X_API_KEY)" },
    { name: "json", about: "print one JSON document" },
  ],
  examples: [
    "x users add alice --email alice@example.com",
    "x users add acme --billing 2026-11-01..2026-12-01 --data /var/lib/x --json",
    `x users list --to ${defaultUrl} --api-key KEY`,
    "x users rotate alice",
  ],
  run: users,
};
