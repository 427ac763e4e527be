import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

import type { Json } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { messageOf, UsageError } from "../errors.ts";
import { columns, printResult } from "./output.ts";
import { findNamed } from "./emitters.ts";
import { pathOf, type RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

interface ShownAccount {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
}

const subcommands = { ls: [], add: ["APP"], rm: ["ID"] } as const;

const why = "credentials cannot be arguments: every user of the machine can read command lines, and shells store them";

/** Parses credentials. Throws `UsageError`, without the text: it is secret. */
export function parseCredentials(origin: string, json: string): { [field: string]: Json } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as { [field: string]: Json };
  throw new UsageError(`${origin} must hold the credentials as a JSON object, such as {"api_key": "…"}`);
}

async function readCredentials(file: string | undefined): Promise<{ [field: string]: Json }> {
  if (file !== undefined && file !== "-") {
    let content: string;
    try {
      content = readFileSync(file, "utf8");
    } catch (error) {
      throw new UsageError(`The file ${file} cannot be read: ${messageOf(error)}; ${why}`);
    }
    return parseCredentials(`The file ${file}`, content);
  }
  if (process.stdin.isTTY)
    throw new UsageError(
      `x accounts add needs a JSON object of credentials, from --auth-file FILE or standard input; ${why}`,
    );
  return parseCredentials("Standard input", await text(process.stdin));
}

const listAccounts = (client: RestClient): Promise<ShownAccount[]> => client.list("/users/me/accounts");

/** The id of the account with this id or name. */
export async function findAccountId(client: RestClient, idOrName: string): Promise<string> {
  if (/^apn_\w+$/.test(idOrName)) return idOrName;
  const accounts = await listAccounts(client);
  const named = accounts.map(({ id, name }) => ({ id, names: name === null ? [] : [name] }));
  return findNamed("account", idOrName, named).id;
}

async function accounts(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("accounts", subcommands, args);
  const [operand = ""] = operands;
  if (subcommand !== "add") rejectFlags(args, "x accounts add", ["auth-file", "name"]);
  if (subcommand !== "rm") rejectFlags(args, "x accounts rm", ["force"]);
  const client = readClient(args);
  if (subcommand === "ls") {
    const found = await listAccounts(client);
    return printResult(args, found, columns(found.map(({ id, app, name }) => [id, app, name ?? ""])));
  }
  if (subcommand === "rm") {
    const id = await findAccountId(client, operand);
    await client.ask("DELETE", `${pathOf("accounts", id)}${args.has("force") ? "?force=true" : ""}`);
    return printResult(args, { id, deleted: true }, `Deleted ${id}`);
  }
  const name = args.text("name");
  const auth = await readCredentials(args.text("auth-file"));
  const account = await client.ask<ShownAccount>("POST", "/accounts", {
    app: operand,
    auth,
    ...(name !== undefined && { name }),
  });
  return printResult(args, account, [
    `Account ${account.id} of ${account.app}`,
    `Use it for an app prop: --props 'PROP={"authProvisionId":"${account.id}"}'`,
  ]);
}

/** `x accounts`: credentials of apps. */
export const accountsCommand: Command = {
  name: "accounts",
  operands: "ls | add APP | rm ID",
  about: "Store credentials of apps, for components that need them",
  details: [
    "add reads the credentials, a JSON object, from --auth-file or standard input, not from the command line: every user of",
    "the machine can read command lines (ps), and shells store them. Credentials are encrypted at rest and never shown.",
    "APP is the slug in the component's app prop; for an app without credentials use {}. rm takes an id or a name.",
  ].join("\n"),
  flags: [
    { name: "auth-file", value: "FILE", about: "add: the credentials (default: standard input)" },
    { name: "name", value: "NAME", about: "add: name of the account" },
    { name: "force", about: "rm: even when sources use it" },
    ...serviceFlags,
  ],
  examples: [
    "x accounts add acme --name work --auth-file acme.json",
    `printf '{"api_key":"%s"}' "$ACME_KEY" | x accounts add acme`,
    "x accounts ls --json",
    "x accounts rm work",
  ],
  run: accounts,
};
