import type { DataStore } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { sizeText } from "../data/size-text.ts";
import { UsageError } from "../errors.ts";
import { jsonText } from "../terminal/visible.ts";
import { findNamed } from "./emitters.ts";
import { columns, printResult } from "./output.ts";
import type { RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { timeOf } from "./shown-run.ts";
import { entryLines, readValue, writtenLine } from "./stored-value.ts";
import { readSubcommand, rejectFlags } from "./subcommand.ts";

const subcommands = {
  ls: ["[NAME]"],
  get: ["NAME", "KEY"],
  set: ["NAME", "KEY", "VALUE"],
  rm: ["NAME", "[KEY]"],
} as const;

const dataStoreRow = ({ name, keys, bytes, updated_at: at }: DataStore): string[] => [
  name,
  `${keys} ${keys === 1 ? "key" : "keys"}`,
  sizeText(bytes),
  timeOf(at * 1000),
];

/** Rejects with `ServiceError` (`not_found`) when there is no data store with this name, with the nearest name. */
async function checkName(client: RestClient, name: string): Promise<void> {
  const stores = await client.ask("GET /users/me/data_stores");
  findNamed(
    "data store",
    name,
    stores.map((store) => ({ id: store.name, names: [store.name] })),
  );
}

async function list(client: RestClient, args: Arguments, name: string | undefined): Promise<number> {
  if (name === undefined) {
    const stores = await client.ask("GET /users/me/data_stores");
    return printResult(args, stores, columns(stores.map(dataStoreRow)));
  }
  await checkName(client, name);
  const entries = await client.list("GET /data_stores/{name}/values", { path: { name } });
  return printResult(args, entries, entryLines(entries));
}

async function remove(client: RestClient, args: Arguments, name: string, key: string | undefined): Promise<number> {
  const isAll = args.has("all");
  if ((key === undefined) !== isAll)
    throw new UsageError(`Give a KEY, or --all to delete the whole data store: x data-stores rm ${name} KEY`);
  await checkName(client, name);
  if (key === undefined) {
    await client.ask("DELETE /data_stores/{name}", { path: { name } });
    return printResult(args, { name, deleted: true }, `Deleted ${name}`);
  }
  await client.ask("DELETE /data_stores/{name}/values/{key}", { path: { name, key } });
  return printResult(args, { name, key, deleted: true }, [`Deleted ${key}`]);
}

async function dataStores(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("data-stores", subcommands, args);
  const [name = "", key = "", value = ""] = operands;
  if (subcommand !== "rm") rejectFlags(args, "x data-stores rm", ["all"]);
  const client = readClient(args);
  if (subcommand === "ls") return list(client, args, operands[0]);
  if (subcommand === "rm") return remove(client, args, name, operands[1]);
  const path = { name, key };
  if (subcommand === "get") {
    await checkName(client, name);
    const entry = await client.ask("GET /data_stores/{name}/values/{key}", { path });
    return printResult(args, entry, jsonText(entry.value, 2));
  }
  const body = { value: await readValue(value) };
  const entry = await client.ask("PUT /data_stores/{name}/values/{key}", { path, body });
  return printResult(args, entry, [writtenLine(entry)]);
}

/** `x data-stores`: reads and writes the data stores that sources share. */
export const dataStoresCommand: Command = {
  operands: "ls [NAME] | get NAME KEY | set NAME KEY VALUE | rm NAME [KEY]",
  details: [
    "NAME is the name that sources are configured with. ls lists the data stores, with NAME its keys and values. VALUE is",
    "stored as JSON if it is JSON, else as a string; - reads it from standard input. get prints JSON. set makes a data store",
    "that does not exist. rm deletes a key; with --all the data store.",
  ].join("\n"),
  flags: [{ name: "all", about: "rm: delete the data store with all its keys" }, ...serviceFlags],
  examples: [
    "x data-stores ls",
    "x data-stores ls customers --json",
    "x data-stores get customers ann",
    'x data-stores set customers ann \'{"plan":"pro"}\'',
    "x data-stores rm customers ann",
    "x data-stores rm customers --all",
  ],
  run: dataStores,
};
