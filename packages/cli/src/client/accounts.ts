import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

import type { Json } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { columns, printed } from "./output.ts";
import { findNamed } from "./emitters.ts";
import { pathOf, type RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

interface ShownAccount {
  readonly id: string;
  readonly app: string;
  readonly name: string | null;
}

const verbs = { ls: [], add: ["APP"], rm: ["ID"] } as const;

const why = "credentials never stand on the command line: every user of the machine can read it, and shells keep it";

/** The credentials in a text. The text is in no error: it is secret. */
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
      throw new UsageError(`The file ${file} cannot be read: ${error instanceof Error ? error.message : ""}; ${why}`);
    }
    return parseCredentials(`The file ${file}`, content);
  }
  if (process.stdin.isTTY)
    throw new UsageError(`Give a JSON object of credentials by --auth-file FILE or on standard input; ${why}`);
  return parseCredentials("Standard input", await text(process.stdin));
}

const listAccounts = (client: RestClient): Promise<ShownAccount[]> => client.list("/users/me/accounts");

async function findAccountId(client: RestClient, idOrName: string): Promise<string> {
  if (/^apn_\w+$/.test(idOrName)) return idOrName;
  const accounts = await listAccounts(client);
  const named = accounts.map(({ id, name }) => ({ id, names: name === null ? [] : [name] }));
  return findNamed("account", idOrName, named).id;
}

async function accounts(args: Arguments): Promise<number> {
  const { verb, operands } = readSubcommand("accounts", verbs, args);
  const [operand = ""] = operands;
  if (verb !== "add") rejectFlags(args, "x accounts add", ["auth-file", "name"]);
  if (verb !== "rm") rejectFlags(args, "x accounts rm", ["force"]);
  const client = readClient(args);
  if (verb === "ls") {
    const found = await listAccounts(client);
    return printed(args, found, columns(found.map(({ id, app, name }) => [id, app, name ?? ""])));
  }
  if (verb === "rm") {
    const id = await findAccountId(client, operand);
    await client.ask("DELETE", `${pathOf("accounts", id)}${args.has("force") ? "?force=true" : ""}`);
    return printed(args, { id, deleted: true }, `Deleted ${id}`);
  }
  const name = args.text("name");
  const auth = await readCredentials(args.text("auth-file"));
  const account = await client.ask<ShownAccount>("POST", "/accounts", {
    app: operand,
    auth,
    ...(name !== undefined && { name }),
  });
  return printed(args, account, [
    `Account ${account.id} of ${account.app}`,
    `Configure an app prop with it: --props 'PROP={"authProvisionId":"${account.id}"}'`,
  ]);
}

/** `x accounts`: credentials of apps. */
export const accountsCommand: Command = {
  name: "accounts",
  operands: "ls | add APP | rm ID",
  about: "Keep credentials of apps, for components that need them",
  details: [
    "add reads the credentials, a JSON object, from --auth-file or standard input: never from the command line, which",
    "every user of the machine can read (ps) and shells keep. They are encrypted at rest and never shown again.",
    "APP is the slug in the component's app prop; an app without credentials takes {}. rm takes an id or a name.",
  ].join("\n"),
  flags: [
    { name: "auth-file", value: "FILE", about: "add: the credentials (default: standard input)" },
    { name: "name", value: "NAME", about: "add: how to tell it from others of the app" },
    { name: "force", about: "rm: also when sources use it" },
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
