import { resolve } from "node:path";

import { findRoot } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import type { Command } from "../command.ts";
import { exitCodeOfRuns, exitCodes } from "../exit-code.ts";
import { withFailedLine } from "../terminal/code-frame.ts";
import { accountsFlag, readAccounts } from "../arguments/accounts-file.ts";
import { checkFile } from "../arguments/path.ts";
import { parseEvent, parseProps, readFileOperand } from "../arguments/values.ts";
import { createLogger } from "../terminal/logger.ts";
import { runOnce } from "./single-run.ts";
import type { SingleRunOptions } from "./run-target.ts";
import { parseInteger } from "../arguments/quantity.ts";
import { rootFlag, runtimeFlags, runtimeOptions } from "../arguments/runtime-flags.ts";
import { resultJson, resultText } from "./result-text.ts";
import { jsonText } from "../terminal/visible.ts";

const maxTimes = 1_000;

/** What the command line says about a shot. Throws `UsageError`. */
export function readRunOptions(args: Arguments): SingleRunOptions {
  const { file, pairs } = readFileOperand(args.operands);
  const props = parseProps([...args.all("props"), ...pairs]);
  checkFile(file);
  return {
    file: resolve(file),
    root: resolve(args.text("root") ?? findRoot(file)),
    props,
    accounts: args.read("accounts", readAccounts),
    event: args.read("event", parseEvent),
    emitOnDeploy: args.has("deploy"),
    times: args.read("times", (flag, text) => parseInteger(flag, text, 1, maxTimes)) ?? 1,
    inNode: args.has("inspect"),
    // Only what is not as it should be: the rest is in what the shot shows.
    runtime: { ...runtimeOptions(args), logger: { ...createLogger(false), info() {} } },
  };
}

async function run(args: Arguments): Promise<number> {
  const options = readRunOptions(args);
  const json = args.has("json");
  using _debugger = args.has("inspect") ? (await import("./inspect.ts")).waitForDebuggerToAttach() : undefined;
  if (args.has("watch")) {
    const { watchRun } = await import("../watch/watch-run.ts");
    await watchRun(options, json);
    return exitCodes.ok;
  }
  try {
    return await runOnce(options, (shot) => {
      const exitCode = exitCodeOfRuns(shot.runs);
      console.log(json ? jsonText(resultJson(shot, exitCode), 2) : resultText(shot, options.root));
      return exitCode;
    });
  } catch (error) {
    throw withFailedLine(error, options.root);
  }
}

/** `x run`: one shot in memory, no server. */
export const runCommand: Command = {
  name: "run",
  operands: "FILE",
  about: "Run a component once, in memory",
  details: [
    "Prints its requests, what it emitted, what dedupe dropped and why, its db, its logs and what it cost.",
    "Nothing is kept.",
    "The hooks deploy and activate always run first; what they emit is only kept with --deploy.",
    "Without --event a component with a timer gets a timer event, one with only an HTTP interface a GET request.",
    'An event with a "method" is a request to the HTTP interface; the parts it lacks are filled in.',
    "With --watch q or Ctrl+C ends it, and exits 0; without a terminal SIGINT or SIGTERM.",
  ].join("\n"),
  flags: [
    { name: "props", value: "NAME=VALUE", about: "a prop's value, as JSON or as text; may be repeated" },
    accountsFlag,
    { name: "event", value: "JSON|@FILE", about: "the event that run gets" },
    { name: "deploy", about: "keep what the deploy hook emits" },
    { name: "times", value: "COUNT", about: `run that often, one after another (most ${maxTimes})` },
    { name: "watch", about: "run again after each change of any of its files, and show what came out otherwise" },
    { name: "inspect", about: "wait for a debugger, and run in plain Node in place of the sandbox" },
    { name: "json", about: "print one JSON document; with --watch one object per line" },
    rootFlag,
    ...runtimeFlags,
  ],
  examples: [
    "x run examples/cron-counter/cron-counter.js --times 3",
    `x run examples/http-inbox/http-inbox.js --event '{"method":"POST","body":{"message":"hello"}}'`,
    "x run component.ts --watch",
    "x run component.ts --inspect",
    "x run component.ts --props token=abc 'ids=[1,2]' --run-timeout 2s --json",
  ],
  run,
};
