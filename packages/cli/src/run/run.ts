import { resolve } from "node:path";

import { findRoot } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { envFileFlag, loadEnvFile } from "../arguments/env-file.ts";
import type { Command } from "../command.ts";
import { exitCodeOfResult, exitCodes } from "../exit-code.ts";
import { withFailedLine } from "../terminal/code-frame.ts";
import { accountsFlag, readAccounts } from "../arguments/accounts-file.ts";
import { checkFile } from "../arguments/path.ts";
import { parseEvent, parseProps, readFileOperand } from "../arguments/values.ts";
import { createLogger } from "../terminal/logger.ts";
import { appEventFlag } from "./app-event.ts";
import { Interrupted, runOnce, type SingleRunResult } from "./single-run.ts";
import type { SingleRunOptions } from "./run-target.ts";
import { parseInteger } from "../arguments/quantity.ts";
import { publicUrlFlag, readPublicUrl } from "../serve/public-url-flag.ts";
import { logLevelFlag, readLogLevel, rootFlag, runtimeFlags, runtimeOptions } from "../arguments/runtime-flags.ts";
import { resultJson, resultText } from "./result-text.ts";
import { stopSignal } from "../stop-signal.ts";
import { jsonText } from "../terminal/visible.ts";

const maxTimes = 1_000;

/** Reads the options of a run. Throws `UsageError`. */
export function readRunOptions(args: Arguments): SingleRunOptions {
  const { file, pairs } = readFileOperand(args.operands);
  const given = parseProps([...args.all("props"), ...pairs]);
  checkFile(file);
  return {
    file: resolve(file),
    root: resolve(args.text("root") ?? findRoot(file)),
    ...given,
    accounts: args.read("accounts", readAccounts),
    event: args.read("event", parseEvent),
    appEvent: args.text("app-event"),
    emitOnDeploy: args.has("deploy"),
    hooks: !args.has("no-hooks"),
    publicUrl: readPublicUrl(args),
    times: args.read("times", (flag, text) => parseInteger(flag, text, 1, maxTimes)) ?? 1,
    inNode: args.has("inspect"),
    // Only warnings and errors: the result has the rest.
    runtime: { ...runtimeOptions(args), logger: createLogger(false, readLogLevel(args) ?? "warn") },
  };
}

async function run(args: Arguments): Promise<number> {
  loadEnvFile(args);
  const options = readRunOptions(args);
  const json = args.has("json");
  using _debugger = args.has("inspect") ? (await import("./inspect.ts")).waitForDebuggerToAttach() : undefined;
  if (args.has("watch")) {
    const { watchRun } = await import("../watch/watch-run.ts");
    await watchRun(options, json);
    return exitCodes.ok;
  }
  try {
    const report = (result: SingleRunResult): number => {
      const exitCode = exitCodeOfResult(result);
      console.log(json ? jsonText(resultJson(result, exitCode), 2) : resultText(result, options.root));
      return exitCode;
    };
    return await runOnce(options, report, { stop: stopSignal() });
  } catch (error) {
    if (error instanceof Interrupted) {
      console.error("interrupted");
      return exitCodes.interrupted;
    }
    throw withFailedLine(error, options.root);
  }
}

/** `x run`: runs a component in memory, without a server. */
export const runCommand: Command = {
  operands: "FILE",
  details: [
    "Prints its requests, its events, those that dedupe dropped and why, its db, its logs, and the time and memory it took.",
    "Nothing is stored.",
    "The hooks deploy and activate run first, and deactivate last, also after an error or Ctrl+C, so that nothing stays",
    "registered at a service. Events of the deploy hook are kept only with --deploy.",
    "Without --event a component with a timer gets a timer event, one with only an HTTP interface a POST of its sampleEmit,",
    'else of {}. An event such as {"body":{"id":7}} is a part of a request; missing fields are filled in.',
    "With --watch, q or Ctrl+C ends it with exit code 0; without a terminal, SIGINT or SIGTERM does.",
  ].join("\n"),
  flags: [
    { name: "props", value: "NAME=VALUE", about: "a prop's value, read by its type, or NAME:=JSON; may be repeated" },
    accountsFlag,
    envFileFlag,
    { name: "event", value: "JSON|@FILE", about: "the event that run gets" },
    appEventFlag,
    { name: "deploy", about: "keep what the deploy hook emits" },
    { name: "no-hooks", about: "run no hooks" },
    publicUrlFlag,
    { name: "times", value: "COUNT", about: `number of runs, one after another (at most ${maxTimes})` },
    { name: "watch", about: "run again after each change of its files, and show the differences in the output" },
    { name: "inspect", about: "wait for a debugger, and run in Node instead of the sandbox" },
    { name: "json", about: "print one JSON document; with --watch one object per line" },
    rootFlag,
    ...runtimeFlags,
    logLevelFlag,
  ],
  examples: [
    "x run examples/cron-counter/cron-counter.js --times 3",
    `x run examples/http-inbox/http-inbox.js --event '{"method":"POST","body":{"message":"hello"}}'`,
    "x run component.ts --watch",
    "x run component.ts --inspect",
    "x run component.ts --props token=abc ids=1,2 --run-timeout 2s --json",
  ],
  run,
};
