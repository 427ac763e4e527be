import { existsSync } from "node:fs";

import type { Execution } from "@x/client";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { isPair, parseEvent } from "../arguments/values.ts";
import { rootFlag } from "../arguments/runtime-flags.ts";
import { readComponentBody } from "../deploy/component-body.ts";
import { deployedLines, deployFile, deployOne } from "../deploy/deploy.ts";
import { readSourceInput } from "../deploy/source-input.ts";
import { verifyFlag } from "../deploy/verify-flag.ts";
import { UsageError } from "../errors.ts";
import { exitCodeOfRuns } from "../exit-code.ts";
import { columns, printResult } from "./output.ts";
import { findSourceId } from "./emitters.ts";
import type { RestClient } from "./rest-client.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { propRows, sourceLines, sourceRow } from "./shown-source.ts";
import { readSubcommand, rejectFlags, type Subcommands } from "./subcommand.ts";

type Subcommand = "ls" | "show" | "deploy" | "update" | "props" | "run" | "pause" | "resume" | "reactivate" | "rm";

const subcommands: Subcommands<Subcommand> = {
  ls: [],
  show: ["ID"],
  deploy: ["[FILE]", "[NAME=VALUE…]"],
  update: ["ID", "[FILE]", "[NAME=VALUE…]"],
  props: ["ID", "[NAME=VALUE…]"],
  run: ["ID"],
  pause: ["ID"],
  resume: ["ID"],
  reactivate: ["[ID]"],
  rm: ["ID"],
};

/** The file and the pairs among operands; `key` stands for a file. */
function readOperands(operands: readonly string[], key: string | undefined): { file?: string; pairs: string[] } {
  const [file, extra] = operands.filter((operand) => !isPair(operand));
  if (extra !== undefined) throw new UsageError(`One FILE at a time; "${extra}" is one too many`);
  if (file !== undefined && key !== undefined) throw new UsageError("Either FILE or --key KEY");
  return { ...(file !== undefined && { file }), pairs: operands.filter(isPair) };
}

async function deploy(client: RestClient, args: Arguments, operands: readonly string[]): Promise<number> {
  const key = args.text("key");
  const { file, pairs } = readOperands(operands, key);
  if (file === undefined && key === undefined) throw new UsageError("Either FILE or --key KEY");
  if (file !== undefined && !existsSync(file) && !/[./\\]/.test(file))
    throw new UsageError(`There is no file ${file}; for a component of the registry: x sources deploy --key ${file}`);
  const source = await (file === undefined
    ? deployOne(client, args, { key }, pairs)
    : deployFile(client, args, file, pairs));
  return printResult(args, source, deployedLines(source));
}

async function update(client: RestClient, args: Arguments, id: string, operands: readonly string[]): Promise<number> {
  const [key, name] = [args.text("key"), args.text("name")];
  const { file, pairs } = readOperands(operands, key);
  const input = await readSourceInput(client, args, pairs);
  const body = {
    ...(key !== undefined && { key }),
    ...(file !== undefined && (await readComponentBody(file, args.text("root")))),
    ...(name !== undefined && { name }),
    ...input,
  };
  if (Object.keys(body).length === 0)
    throw new UsageError("What is to change: FILE, --key, --name, --props or --account?");
  const source = await client.ask("PATCH /sources/{id}", { path: { id }, body });
  return printResult(args, source, sourceLines(source));
}

/** Shows the props, or changes those that are given. */
async function props(client: RestClient, args: Arguments, id: string, operands: readonly string[]): Promise<number> {
  const wrong = operands.find((operand) => !isPair(operand));
  if (wrong !== undefined) throw new UsageError(`x sources props ID needs NAME=VALUE, got "${wrong}"`);
  const body = await readSourceInput(client, args, operands);
  const path = { id };
  const source = await (Object.keys(body).length === 0
    ? client.ask("GET /sources/{id}", { path })
    : client.ask("PATCH /sources/{id}", { path, body }));
  return printResult(args, source.configured_props, columns(propRows(source)));
}

function runLines({
  execution_id: id,
  status,
  emitted = [],
  deduped = 0,
  error,
  duration_ms: ms,
}: Execution): string[] {
  if (status === "queued") return [`${id}  queued`];
  const counts = `${emitted.length} emitted${deduped > 0 ? `, ${deduped} dropped` : ""}`;
  return [
    `${id}  ${status}  ${counts}  ${ms} ms`,
    ...(error ? [`  ${error.name}: ${error.message}`] : []),
    `See x runs show ${id}.`,
  ];
}

async function run(client: RestClient, args: Arguments, id: string): Promise<number> {
  const event = args.read("event", parseEvent);
  const done = await client.ask("POST /sources/{id}/run", {
    path: { id },
    body: {
      ...(event !== undefined && { event }),
      ...(args.has("no-wait") && { wait: false }),
      ...(args.has("force") && { force: true }),
    },
  });
  printResult(args, done, runLines(done));
  return exitCodeOfRuns([{ status: done.status, error: done.error ?? null }]);
}

/** Runs the hooks of one source, or of all whose endpoints have another base URL since. */
async function reactivate(client: RestClient, args: Arguments, operand: string): Promise<number> {
  if ((operand === "") !== args.has("all")) throw new UsageError("Either ID or --all");
  const all = operand === "" ? await client.list("GET /users/me/sources", { query: { expand: "state" } }) : [];
  const changed = all.filter(({ state }) => state?.endpoint_changed === true).map(({ id }) => id);
  const ids = operand === "" ? changed : [await findSourceId(client, operand)];
  const done = [];
  for (const id of ids) done.push(await client.ask("POST /sources/{id}/reactivate", { path: { id } }));
  const none = "No source has registered its endpoints under another URL.";
  return printResult(args, done, done.length === 0 ? none : columns(done.map(sourceRow)));
}

/** Throws `UsageError` for flags of other subcommands. */
function checkFlags(args: Arguments, subcommand: Subcommand): void {
  const isChange = subcommand === "deploy" || subcommand === "update";
  if (!isChange) rejectFlags(args, "x sources deploy and update", ["key", "name", "root"]);
  if (!isChange && subcommand !== "props")
    rejectFlags(args, "x sources deploy, update and props", ["props", "account", "verify"]);
  if (subcommand !== "deploy") rejectFlags(args, "x sources deploy", ["webhook-url", "emit-on-deploy"]);
  if (subcommand !== "run") rejectFlags(args, "x sources run", ["event", "no-wait"]);
  if (subcommand !== "reactivate") rejectFlags(args, "x sources reactivate", ["all"]);
  if (subcommand !== "ls") rejectFlags(args, "x sources ls", ["search"]);
  if (subcommand !== "rm" && subcommand !== "run") rejectFlags(args, "x sources rm and run", ["force"]);
}

async function sources(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("sources", subcommands, args);
  const [operand = "", ...others] = operands;
  checkFlags(args, subcommand);
  const client = readClient(args);
  if (subcommand === "ls") {
    const found = await client.list("GET /users/me/sources", { query: { q: args.text("search") } });
    return printResult(args, found, columns(found.map(sourceRow)));
  }
  if (subcommand === "deploy") return deploy(client, args, operands);
  if (subcommand === "reactivate") return reactivate(client, args, operand);
  const id = await findSourceId(client, operand);
  if (subcommand === "update") return update(client, args, id, others);
  if (subcommand === "props") return props(client, args, id, others);
  if (subcommand === "run") return run(client, args, id);
  const path = { id };
  if (subcommand === "rm") {
    await client.ask("DELETE /sources/{id}", {
      path,
      ...(args.has("force") && { query: { ignore_hook_errors: true } }),
    });
    return printResult(args, { id, deleted: true }, `Deleted ${id}`);
  }
  const source = await (subcommand === "show"
    ? client.ask("GET /sources/{id}", { path })
    : client.ask("PATCH /sources/{id}", { path, body: { active: subcommand === "resume" } }));
  return printResult(args, source, sourceLines(source));
}

/** The subcommands with a flag of `x deploy`, and a shorter text than there. */
const deployFlagsHere: readonly Flag[] = [
  { name: "name", value: "NAME", about: "deploy, update: name of the source (default: that of the component)" },
  {
    name: "props",
    value: "NAME=VALUE",
    about: "deploy, update, props: a value, read by its type; NAME:=JSON, or @FILE; may be repeated",
  },
  {
    name: "account",
    value: "APP=ID",
    about: "deploy, update, props: an account for the app or app prop; may be repeated",
  },
  { ...verifyFlag, about: "deploy, update, props: verify requests to an HTTP prop, as x deploy does" },
  { name: "webhook-url", value: "URL", about: "deploy: send its events to this URL, as x deploy does" },
  {
    name: "emit-on-deploy",
    value: "on|off",
    about: "deploy: whether events of the deploy hook of a new source are kept (default on)",
  },
  { ...rootFlag, about: "deploy, update: folder that imports must be in" },
];

/** `x sources`: the sources of a running service. */
export const sourcesCommand: Command = {
  operands: "ls | deploy FILE | show | update | props | run | pause | resume | reactivate | rm ID",
  details: [
    "ID is the id or the name of a source. deploy is x deploy for one FILE, or for --key. update changes the code, the name",
    "or values of a source, and props its values; what is not given stays, NAME=null takes the default. run starts it",
    "now and waits for the end. A paused source keeps its events, db and endpoint, but its timer and endpoint do not start",
    "it. reactivate runs deactivate and activate, for endpoints with another URL since. rm removes a source with its events",
    "and its db.",
  ].join("\n"),
  flags: [
    ...deployFlagsHere,
    { name: "key", value: "KEY", about: "deploy, update: key of a saved or published component, instead of FILE" },
    { name: "event", value: "JSON|@FILE", about: "run: the event that it gets" },
    { name: "no-wait", about: "run: do not wait for the end" },
    {
      name: "search",
      value: "WORDS",
      about: "ls: only sources that each of these words finds by name, slug or id",
    },
    { name: "all", about: "reactivate: every source whose endpoints have another URL since" },
    { name: "force", about: "rm: even when its deactivate hook fails; run: even when it is paused" },
    ...serviceFlags,
  ],
  examples: [
    "x sources ls --search orders",
    "x sources deploy examples/http-inbox/http-inbox.js --name inbox",
    "x sources show inbox --json",
    "x sources update inbox http-inbox.js",
    "x sources props inbox greeting=hello",
    `x sources run inbox --event '{"method":"POST","body":{"message":"hello"}}'`,
    "x sources pause inbox",
    "x sources resume inbox",
    "x sources reactivate --all",
    "x sources rm inbox",
  ],
  run: sources,
};
