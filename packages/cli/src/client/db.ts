import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { jsonText } from "../terminal/visible.ts";
import { printResult } from "./output.ts";
import { findSourceId } from "./emitters.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { entryLines, readValue, writtenLine } from "./stored-value.ts";
import { readSubcommand } from "./subcommand.ts";

const subcommands = {
  ls: ["ID"],
  get: ["ID", "KEY"],
  set: ["ID", "KEY", "VALUE"],
  rm: ["ID", "KEY"],
} as const;

async function db(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("db", subcommands, args);
  const [name = "", key = "", value = ""] = operands;
  const client = readClient(args);
  const id = await findSourceId(client, name);
  if (subcommand === "ls") {
    const entries = await client.list("GET /sources/{id}/db", { path: { id } });
    return printResult(args, entries, entryLines(entries));
  }
  const path = { id, key };
  if (subcommand === "rm") {
    await client.ask("DELETE /sources/{id}/db/{key}", { path });
    return printResult(args, { key, deleted: true }, [`Deleted ${key}`]);
  }
  if (subcommand === "get") {
    const entry = await client.ask("GET /sources/{id}/db/{key}", { path });
    return printResult(args, entry, jsonText(entry.value, 2));
  }
  const body = { value: await readValue(value) };
  const entry = await client.ask("PUT /sources/{id}/db/{key}", { path, body });
  return printResult(args, entry, [writtenLine(entry)]);
}

/** `x db`: reads and writes the db of a source. */
export const dbCommand: Command = {
  operands: "ls ID | get ID KEY | set ID KEY VALUE | rm ID KEY",
  details: [
    "ID is the id or the name of a source. VALUE is stored as JSON if it is JSON, else as a string; - reads it from",
    "standard input. get prints JSON. A write waits for the run in progress; the next run sees it.",
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
