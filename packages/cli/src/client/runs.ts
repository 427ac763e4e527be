import type { ExecutionSummary, PartsOf } from "@x/client";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { exitCodeOfRuns, exitCodes } from "../exit-code.ts";
import { parseChoice, parseInteger } from "../arguments/quantity.ts";
import { parseEvent } from "../arguments/values.ts";
import { stopSignal } from "../stop-signal.ts";
import { jsonText, safeText } from "../terminal/visible.ts";
import { findEmitter, listEmitters } from "./emitters.ts";
import { readEvent, tellState } from "./event-stream.ts";
import { columns, printNone, printResult } from "./output.ts";
import type { RestClient } from "./rest-client.ts";
import { accountLines } from "./run-account.ts";
import { readClient, serviceFlags } from "./service-flags.ts";
import { runLine, runRow } from "./shown-run.ts";
import { readSubcommand, rejectFlags, type Subcommands } from "./subcommand.ts";

type Subcommand = "ls" | "show" | "replay" | "tail" | "test";

const subcommands: Subcommands<Subcommand> = {
  ls: ["[ID]"],
  show: ["RUN"],
  replay: ["RUN"],
  tail: ["[ID]"],
  test: ["RUN"],
};

const defaultCount = 10;
const maxRuns = 10_000;
const statuses = ["ok", "error", "timeout", "out_of_memory", "failed"] as const;

type Filter = Pick<NonNullable<PartsOf<"GET /executions">["query"]>, "status">;

/** The executions to show. */
interface Wanted {
  /** The newest `count` of them, newest first. */
  newest(count: number, query?: Filter): Promise<ExecutionSummary[]>;
  readonly query: Filter;
  /** The id of the source; undefined: all sources. */
  readonly id: string | undefined;
  /** The name of a run's source; undefined when only one source is shown. */
  nameOf(run: ExecutionSummary): string | undefined;
}

async function readWanted(client: RestClient, args: Arguments, idOrName: string | undefined): Promise<Wanted> {
  const status = args.read("status", (flag, text) => parseChoice(flag, text, statuses));
  const query = status === undefined ? {} : { status };
  if (idOrName !== undefined) {
    const { folder, id } = await findEmitter(client, idOrName);
    const route = `GET /${folder}/{id}/executions` as const;
    return {
      newest: (count, filter = query) => client.list(route, { path: { id }, query: filter }, count),
      query,
      id,
      nameOf: () => undefined,
    };
  }
  const names = new Map((await listEmitters(client)).map(({ id, names: [name] }) => [id, name ?? id]));
  return {
    newest: (count, filter = query) => client.list("GET /executions", { query: filter }, count),
    query,
    id: undefined,
    nameOf: ({ source_id: sourceId }) => names.get(sourceId) ?? sourceId,
  };
}

const readCount = (args: Arguments, least: number): number =>
  args.read("limit", (flag, text) => parseInteger(flag, text, least, maxRuns)) ?? defaultCount;

async function list(client: RestClient, args: Arguments, idOrName: string | undefined): Promise<number> {
  const count = readCount(args, 1);
  const { newest, nameOf } = await readWanted(client, args, idOrName);
  const runs = (await newest(count)).toReversed();
  if (args.has("json")) console.log(jsonText(runs, 2));
  else if (runs.length === 0) printNone();
  else console.log(columns(runs.map((run) => runRow(run, nameOf(run)))).join("\n"));
  return exitCodes.ok;
}

async function followOn(client: RestClient, args: Arguments, wanted: Wanted, stop: AbortSignal): Promise<void> {
  const { newest, query, id, nameOf } = wanted;
  const count = readCount(args, 0);
  const isWanted = ({ status }: ExecutionSummary): boolean =>
    query.status === undefined || query.status === status || (query.status === "failed" && status !== "ok");
  const print = (run: ExecutionSummary): void =>
    console.log(args.has("json") ? jsonText(run) : runLine(run, nameOf(run)));
  // The newest run of any status: the stream continues after it.
  const [last] = await newest(1, {});
  const before = count === 0 ? [] : await newest(count);
  for (const run of before.toReversed()) print(run);
  const events = client.follow("GET /executions/stream", {
    query: { source_id: id },
    lastEventId: last?.execution_id,
    signal: stop,
    onState: tellState(),
  });
  const printed = new Set(before.map(({ execution_id: run }) => run));
  for await (const event of events) {
    const run = readEvent<ExecutionSummary>(event);
    if (!run) continue;
    if (isWanted(run) && !printed.delete(run.execution_id)) print(run);
  }
}

async function tail(args: Arguments, idOrName: string | undefined): Promise<number> {
  const stop = stopSignal();
  const client = readClient(args, stop);
  const following = readWanted(client, args, idOrName).then((wanted) => followOn(client, args, wanted, stop));
  await following.catch((error: unknown) => {
    // Stopping aborts the request; that is no error.
    if (!stop.aborted) throw error;
  });
  return exitCodes.ok;
}

async function show(client: RestClient, args: Arguments, id: string): Promise<number> {
  const run = await client.ask("GET /executions/{id}", { path: { id } });
  if (args.has("json")) return printResult(args, run, "");
  const named = (await listEmitters(client)).find((emitter) => emitter.id === run.source_id);
  // Each part has escaped the text of the component.
  console.log(accountLines(run, named?.names[0] ?? run.source_id).join("\n"));
  return exitCodes.ok;
}

async function replay(client: RestClient, args: Arguments, id: string): Promise<number> {
  const event = args.read("event", parseEvent);
  const body = { ...(event !== undefined && { event }), ...(args.has("no-wait") && { wait: false }) };
  const run = await client.ask("POST /executions/{id}/replay", { path: { id }, body });
  if (args.has("json")) printResult(args, run, "");
  else if (run.status === "queued") console.log(safeText(`${run.execution_id}  queued`));
  else await show(client, args, run.execution_id);
  return exitCodeOfRuns([{ status: run.status, error: run.error ?? null }]);
}

/** Prints the test of a run. It is code, so it is printed as it is; it has no control characters. */
async function test(client: RestClient, args: Arguments, id: string): Promise<number> {
  const component = args.read("component", (_flag, text) => text);
  const text = await client.ask("GET /executions/{id}/test", { path: { id }, query: { component } });
  console.log(text.trimEnd());
  return exitCodes.ok;
}

async function runs(args: Arguments): Promise<number> {
  const { subcommand, operands } = readSubcommand("runs", subcommands, args);
  const [operand] = operands;
  if (subcommand !== "replay") rejectFlags(args, "x runs replay", ["event", "no-wait"]);
  if (subcommand !== "ls" && subcommand !== "tail") rejectFlags(args, "x runs ls", ["status", "limit"]);
  if (subcommand !== "test") rejectFlags(args, "x runs test", ["component"]);
  if (subcommand === "tail") return tail(args, operand);
  const client = readClient(args);
  if (subcommand === "ls") return list(client, args, operand);
  if (subcommand === "test") return test(client, args, operand ?? "");
  return subcommand === "show" ? show(client, args, operand ?? "") : replay(client, args, operand ?? "");
}

/** `x runs`: the stored executions of a running service. */
export const runsCommand: Command = {
  operands: "ls [ID] | show RUN | replay RUN | tail [ID] | test RUN",
  details: [
    "ID is the id or the name of a source or workflow; without it, x shows the runs of all. RUN is the id of a run or hook.",
    "A service stores the last 100 runs of each source and its last 100 failed ones. show prints what a run received and",
    "did. replay runs it again with the same event, or with another one. tail prints runs as they end. test prints a vitest",
    "file for @x/testing that repeats the run; save it beside the component.",
  ].join("\n"),
  flags: [
    { name: "limit", value: "COUNT", about: `ls, tail: number of runs (default ${defaultCount}); the newest is last` },
    { name: "status", value: "STATUS", about: `ls, tail: only ${statuses.join(", ")} (any but ok)` },
    { name: "event", value: "JSON", about: "replay: another event, as JSON or @FILE" },
    { name: "component", value: "FILE", about: "test: what it imports the component from, such as ./orders.js" },
    { name: "no-wait", about: "replay: do not wait for the run to finish" },
    ...serviceFlags,
  ],
  examples: [
    "x runs ls http-inbox --status failed",
    "x runs show 3GmP0q7RzYwK5tLxVb2NcD8eFh0",
    "x runs replay 3GmP0q7RzYwK5tLxVb2NcD8eFh0 --event @event.json",
    "x runs tail --json",
    "x runs test 3GmP0q7RzYwK5tLxVb2NcD8eFh0 > http-inbox.test.js",
  ],
  run: runs,
};
