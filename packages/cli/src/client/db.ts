import { text } from "node:stream/consumers";

import type { Json } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { oneLine } from "../terminal/terminal-text.ts";
import { jsonText } from "../terminal/visible.ts";
import { columns, printed } from "./output.ts";
import { findSourceId } from "./emitters.ts";
import { pathOf } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { readSubcommand } from "./subcommand.ts";

interface Entry {
  readonly key: string;
  readonly value: Json;
}

const verbs = {
  ls: ["ID"],
  get: ["ID", "KEY"],
  set: ["ID", "KEY", "VALUE"],
  rm: ["ID", "KEY"],
} as const;

const maxValueLength = 100;

/** JSON as JSON, any other text as text. */
export function parseValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

async function db(args: Arguments): Promise<number> {
  const { verb, operands } = readSubcommand("db", verbs, args);
  const [name = "", key = "", value = ""] = operands;
  const client = readClient(args);
  const folder = `${pathOf("sources", await findSourceId(client, name))}/db`;
  if (verb === "ls") {
    const entries = await client.list<Entry>(folder);
    const rows = entries.map((entry) => [entry.key, oneLine(JSON.stringify(entry.value), maxValueLength)]);
    return printed(args, entries, columns(rows));
  }
  const path = folder + pathOf(key);
  if (verb === "rm") {
    await client.ask("DELETE", path);
    return printed(args, { key, deleted: true }, [`Deleted ${key}`]);
  }
  if (verb === "get") {
    const entry = await client.ask<Entry>("GET", path);
    return printed(args, entry, jsonText(entry.value, 2));
  }
  const written = parseValue(value === "-" ? await text(process.stdin) : value);
  const entry = await client.ask<Entry>("PUT", path, { value: written });
  return printed(args, entry, [`${entry.key} = ${oneLine(JSON.stringify(entry.value), maxValueLength)}`]);
}

/** `x db`: what a source stores. */
export const dbCommand: Command = {
  name: "db",
  operands: "ls ID | get ID KEY | set ID KEY VALUE | rm ID KEY",
  about: "Read and write what a source stores ($.service.db)",
  details: [
    "ID is the id or the name of a source. A VALUE that is JSON is stored as JSON, any other as text; - reads it from",
    "standard input. get prints JSON. Writes take their turn between runs: the next run sees them.",
  ].join("\n"),
  flags: serviceFlags,
  examples: [
    "x db ls cron-counter",
    "x db get cron-counter count",
    "x db set cron-counter count 41",
    "x db rm cron-counter count --json",
  ],
  run: db,
};
