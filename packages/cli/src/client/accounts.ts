import type { Account } from "@x/client";
import type { Json } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { connectAccount } from "./connect-account.ts";
import { columns, printResult } from "./output.ts";
import { findNamed } from "./emitters.ts";
import type { RestClient } from "./rest-client.ts";
import { parseSecretObject, readSecret } from "./secret-input.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

/** An account in the list, with what keeps its token from being renewed. */
function rowOf({ id, app, name, oauth }: Account): string[] {
  const problem = oauth?.problem;
  const repair = problem?.reconnect ? `; x accounts connect ${app} --account ${id}` : "";
  return [id, app, name ?? "", problem ? `${problem.message}${repair}` : ""];
}

const subcommands = { ls: [], connect: ["APP"], add: ["APP"], rm: ["ID"], template: ["DIR"] } as const;

const ofConnect = ["account", "field", "scopes", "loopback", "device"];

async function readCredentials(file: string | undefined): Promise<{ [field: string]: Json }> {
  const what = { command: "x accounts add", content: "a JSON object of credentials", flag: "auth-file" };
  const { origin, content } = await readSecret(file, what);
  return parseSecretObject(origin, content, '{"api_key": "…"}');
}

const listAccounts = (client: RestClient): Promise<Account[]> => client.list("GET /users/me/accounts", {});

/** The id of the account with this id or name; where `app` has accounts, of one of those. */
export async function findAccountId(client: RestClient, idOrName: string, app?: string): Promise<string> {
  if (/^apn_\w+$/.test(idOrName)) return idOrName;
  const all = await listAccounts(client);
  const own = all.filter((each) => each.app === app);
  const accounts = own.length > 0 ? own : all;
  const named = accounts.map(({ id, name }) => ({ id, names: name === null ? [] : [name] }));
  return findNamed("account", idOrName, named).id;
}

async function accounts(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("accounts", subcommands, args);
  const [operand = ""] = operands;
  if (subcommand !== "add" && subcommand !== "connect")
    rejectFlags(args, "x accounts add and connect", ["auth-file", "name"]);
  if (subcommand !== "connect") rejectFlags(args, "x accounts connect", ofConnect);
  if (subcommand !== "rm") rejectFlags(args, "x accounts rm", ["force"]);
  // Of the runtime, which the others do not need.
  if (subcommand === "template") return (await import("./accounts-template.ts")).printTemplate(args, operand);
  const client = readClient(args);
  if (subcommand === "ls") {
    const found = await listAccounts(client);
    return printResult(args, found, columns(found.map(rowOf)));
  }
  if (subcommand === "rm") {
    const id = await findAccountId(client, operand);
    await client.ask("DELETE /accounts/{id}", { path: { id }, ...(args.has("force") && { query: { force: true } }) });
    return printResult(args, { id, deleted: true }, `Deleted ${id}`);
  }
  if (subcommand === "connect") return connectAccount(args, client, operand);
  const name = args.text("name");
  const auth = await readCredentials(args.text("auth-file"));
  const account = await client.ask("POST /accounts", { body: { app: operand, auth, name } });
  return printResult(args, account, [
    `Account ${account.id} of ${account.app}`,
    `Use it: x deploy FILE --account ${account.app}=${account.id}`,
  ]);
}

/** `x accounts`: credentials of apps. */
export const accountsCommand: Command = {
  operands: "ls | connect APP | add APP | rm ID | template DIR",
  details: [
    "connect lets you agree at the service of an app that x apps add has set up, and keeps its tokens valid. The browser",
    "is sent to /oauth/callback of the runtime's service, or to this machine with --loopback PORT.",
    "add reads the credentials, a JSON object, from --auth-file or standard input, not from the command line: every user of",
    "the machine can read command lines (ps), and shells store them. Credentials are encrypted at rest and never shown.",
    "APP is the slug in the component's app prop; for an app without credentials use {}. rm takes an id or a name.",
    "template prints a file for --accounts with the apps of a folder, and the fields that their code reads of $auth.",
  ].join("\n"),
  flags: [
    {
      name: "auth-file",
      value: "FILE",
      about: "add: the credentials (default: standard input); connect: secret fields",
    },
    { name: "name", value: "NAME", about: "connect, add: name of the account" },
    { name: "account", value: "ID", about: "connect: this account again; it keeps its id, and sources that use it" },
    {
      name: "field",
      value: "NAME=VALUE",
      about: "connect: a field of the app, such as a part of its addresses; repeatable",
    },
    { name: "scopes", value: "LIST", about: "connect: scopes to ask for, in place of those of the app" },
    { name: "loopback", value: "PORT", about: "connect: receive the redirect on this machine (0: any free port)" },
    { name: "device", about: "connect: type a code in on any device" },
    { name: "force", about: "rm: even when sources use it" },
    ...serviceFlags,
  ],
  examples: [
    "x accounts connect github --name work",
    "x accounts connect google --loopback 8976",
    "x accounts connect github --device",
    "x accounts connect acme --account apn_4kQm81ZtRb",
    "x accounts add acme --name work --auth-file acme.json",
    `printf '{"api_key":"%s"}' "$ACME_KEY" | x accounts add acme`,
    "x accounts template components > accounts.json",
    "x accounts ls --json",
    "x accounts rm work",
  ],
  run: accounts,
};
