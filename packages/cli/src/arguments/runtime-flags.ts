import type { Limits, NetworkOptions, RuntimeOptions } from "@x/runtime";

import type { Arguments, Flag } from "./arguments.ts";
import { showProgress } from "../serve/package-progress.ts";
import { parseChoice, parseDuration, parseInteger, parseSize } from "./quantity.ts";
import { UsageError } from "../errors.ts";
import { type LogLevel, logLevels } from "../terminal/logger.ts";

/** The folder that imports must be in. */
export const rootFlag: Flag = {
  name: "root",
  value: "DIR",
  about: "folder that imports must be in (default: the components folder or the package that FILE is in)",
};

/** The flag of services for stored executions. */
export const executionsFlag: Flag = {
  name: "executions",
  value: "COUNT",
  about: "runs stored per source, for x runs; 0: none (default 100)",
};

const maxExecutions = 10_000;

/** The limit in that flag. Throws `UsageError`. */
export function readExecutions(args: Arguments): Partial<Pick<Limits, "executionsPerSource">> {
  const count = args.read("executions", (flag, text) => parseInteger(flag, text, 0, maxExecutions));
  return count === undefined ? {} : { executionsPerSource: count };
}

/** Flags of every command with a runtime. */
export const runtimeFlags: readonly Flag[] = [
  { name: "run-timeout", value: "TIME", about: "longest run of a component, such as 2s (default 5m)" },
  { name: "memory", value: "SIZE", about: "memory of one sandbox, such as 64mb (default 256mb)" },
  {
    name: "network",
    value: "MODE",
    about: "deny-private (default); allow-private: also loopback and private addresses; none: nothing",
  },
  {
    name: "packages",
    value: "on|off",
    about: "whether components may import npm packages, from the registry of your npmrc (default on)",
  },
  {
    name: "packages-cache",
    value: "SIZE",
    about: "largest cache of npm packages, such as 512mb (default 2gb); packages of deployed sources are never removed",
  },
  {
    name: "upstream",
    value: "URL",
    about: "send every request of components to this URL, with the header x-original-url",
  },
  {
    name: "transactional",
    about: "a run that throws drops its emits and db writes, unless its component says transactional: false",
  },
  {
    name: "exact-integers",
    about:
      "integers beyond 2^53 in bodies and in response.json() are texts, unless the component says exactIntegers: false",
  },
];

/** The flag of commands that log. */
export const logLevelFlag: Flag = {
  name: "log-level",
  value: "LEVEL",
  about: `least level of the log on standard error: ${logLevels.join(", ")} (default info; of x run: warn)`,
};

/** Reads the level of the log. Throws `UsageError`. */
export const readLogLevel = (args: Arguments): LogLevel | undefined =>
  args.read("log-level", (flag, text) => parseChoice(flag, text, logLevels));

/** An http or https URL without a trailing slash. Throws `UsageError`. */
export function parseOrigin(flag: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return text.replace(/(?<!\/)\/+$/, "");
  throw new UsageError(`--${flag} must be an http:// or https:// URL, got "${text}"`);
}

/** The origin in a flag. Throws `UsageError`. */
export const readOrigin = (args: Arguments, flag: string): string | undefined => args.read(flag, parseOrigin);

/** Options of every runtime of the command line. */
export type RuntimeFlagOptions = Pick<
  RuntimeOptions,
  "limits" | "network" | "packages" | "logger" | "transactional" | "exactIntegers"
>;

/** Reads the runtime flags. Throws `UsageError`. */
export function runtimeOptions(args: Arguments): RuntimeFlagOptions {
  const runTimeoutMs = args.read("run-timeout", parseDuration);
  const memoryBytes = args.read("memory", parseSize);
  const mode = args.read("network", (flag, text) => parseChoice(flag, text, ["deny-private", "allow-private", "none"]));
  const upstream = readOrigin(args, "upstream");
  const packages = args.read("packages", (flag, text) => parseChoice(flag, text, ["on", "off"]));
  const cacheBytes = args.read("packages-cache", parseSize);
  const network: NetworkOptions = { ...(mode && { mode }), ...(upstream && { upstream }) };
  return {
    limits: { ...(runTimeoutMs && { runTimeoutMs }), ...(memoryBytes && { memoryBytes }) },
    network,
    packages: packages === "off" ? false : { onProgress: showProgress, ...(cacheBytes && { cacheBytes }) },
    ...(args.has("transactional") && { transactional: true }),
    ...(args.has("exact-integers") && { exactIntegers: true }),
  };
}
