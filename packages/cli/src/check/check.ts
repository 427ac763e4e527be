import { resolve } from "node:path";

import { createRuntime, readAccountFields, type RegistryEntry, type RegistryItem, type Runtime } from "@x/runtime";

import type { Arguments } from "../arguments/arguments.ts";
import { isFolder } from "../arguments/component-files.ts";
import { logLevelFlag, readLogLevel, runtimeFlags, runtimeOptions } from "../arguments/runtime-flags.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../errors.ts";
import { exitCodes } from "../exit-code.ts";
import { createLogger } from "../terminal/logger.ts";
import { inLine, jsonText } from "../terminal/visible.ts";
import { showProgress } from "./progress.ts";
import { type CheckResult, reportLines, type Runnable } from "./report.ts";

/** Where the results of a check are kept for `--changed`. */
const keptIn = ".x/check";

/** Evaluates the components of one app, the others not. */
async function evaluateApp(runtime: Runtime, app: string): Promise<RegistryItem[]> {
  // A key that nobody has: the answer comes when every text has been read.
  await runtime.registryComponent("x-check").catch(() => undefined);
  const isOf = ({ apps = [] }: RegistryEntry): boolean => apps.includes(app);
  const keys = runtime.registryList().items.filter(isOf);
  if (keys.length === 0) throw new UsageError(`No component uses an account of ${app}`);
  await Promise.all(keys.map(({ key }) => runtime.registryComponent(key).catch(() => undefined)));
  const asked = new Set(keys.map(({ key }) => key));
  return runtime.registryList().items.filter(({ key }) => asked.has(key));
}

async function runnableOf(runtime: Runtime, items: readonly RegistryItem[]): Promise<Runnable[]> {
  const found: Runnable[] = [];
  for (const { file, key, componentId, problem } of items) {
    if (key === undefined || componentId === undefined || problem) continue;
    const { shape } = await runtime.component(componentId);
    const warnings = (shape.warnings ?? []).map(({ rule, message }) => ({ rule, message }));
    found.push({ file, key, warnings });
  }
  return found;
}

/** Longer than any evaluation. */
const registryWaitMs = 60 * 60 * 1000;

async function checkFolder(folder: string, args: Arguments): Promise<CheckResult> {
  const app = args.text("only");
  const options = runtimeOptions(args);
  const accounts = await readAccountFields(folder);
  await using runtime = await createRuntime({
    ...options,
    limits: { ...options.limits, registryWaitMs },
    registry: folder,
    ...(args.has("changed") && { data: keptIn }),
    logger: createLogger(false, readLogLevel(args) ?? "error"),
  });
  using _progress = showProgress(() => runtime.registryList().progress, process.stderr);
  const items = await (app === undefined ? runtime.registry() : evaluateApp(runtime, app));
  return {
    runnable: await runnableOf(runtime, items),
    refused: items.filter(({ problem }) => problem !== undefined),
    accounts: accounts.filter((each) => app === undefined || each.app === app),
  };
}

async function check(args: Arguments): Promise<number> {
  const [folder, extra] = args.operands;
  if (folder === undefined) throw new UsageError("Which DIR?");
  if (extra !== undefined) throw new UsageError(`One DIR at a time; "${extra}" is one too many`);
  if (!isFolder(folder)) throw new UsageError(`There is no folder ${inLine(folder)}`);
  const result = await checkFolder(resolve(folder), args);
  const exitCode = result.refused.length > 0 ? exitCodes.component : exitCodes.ok;
  console.log(args.has("json") ? jsonText({ ...result, exit_code: exitCode }, 2) : reportLines(result).join("\n"));
  return exitCode;
}

/** `x check`: says what of a folder of components runs. */
export const checkCommand: Command = {
  operands: "DIR",
  details: [
    "Bundles and evaluates every component of the folder, as x serve --registry DIR does, with its packages; runs none.",
    `With --changed the results are kept in ${keptIn}, and only what has changed since is evaluated.`,
    "Exit code 1 when a component is refused.",
  ].join("\n"),
  flags: [
    { name: "only", value: "APP", about: "components that use accounts of this app" },
    { name: "changed", about: "evaluate what has changed since the last check with this flag" },
    { name: "json", about: "print one JSON document" },
    ...runtimeFlags.filter(({ name }) => name === "memory" || name.startsWith("packages")),
    logLevelFlag,
  ],
  examples: ["x check components", "x check components --only shopify", "x check components --changed --json"],
  run: check,
};
