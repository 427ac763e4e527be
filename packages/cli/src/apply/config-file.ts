import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import type { Json } from "@x/runtime";

import type { Arguments, Flag } from "../arguments/arguments.ts";
import { checkFile } from "../arguments/path.ts";
import { fillVariables } from "../arguments/variables.ts";
import { messageOf, UsageError } from "../errors.ts";
import { type Config, parseConfig } from "./config.ts";

const names = ["x.config.ts", "x.config.mts", "x.config.js", "x.config.mjs", "x.config.json"];

export const configFlag: Flag = {
  name: "config",
  value: "FILE",
  about: "the config (default: x.config.ts, .mts, .js, .mjs or .json of the working folder)",
};

/** A config with the folder that its paths are relative to. */
export interface ConfigFile {
  readonly config: Config;
  /** As it was found. */
  readonly file: string;
  readonly folder: string;
}

/** The config file of the flag, or of the working folder; undefined when there is none. */
export function findConfigFile(args: Arguments): string | undefined {
  const given = args.text("config");
  if (given !== undefined) checkFile(given);
  return given ?? names.find((name) => existsSync(name));
}

/** The text of a JSON config with the variables that it names. */
function readJson(file: string): unknown {
  let value: Json;
  try {
    value = JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`);
  }
  return fillVariables(value, file);
}

/** The default export of a module, which Node runs: a config is the user's own program, unlike a component. */
async function importDefault(file: string): Promise<unknown> {
  // The time of its last change: a changed file is another module.
  const url = `${pathToFileURL(resolve(file)).href}?${statSync(file).mtimeMs}`;
  try {
    const loaded = (await import(/* @vite-ignore */ url)) as { readonly default?: unknown };
    return loaded.default;
  } catch (error) {
    throw new UsageError(`${file} cannot be loaded: ${messageOf(error)}`);
  }
}

/** Reads a config. Throws `UsageError` with every problem. */
export async function readConfigFile(file: string): Promise<ConfigFile> {
  const value = extname(file) === ".json" ? readJson(file) : await importDefault(file);
  if (value === undefined) throw new UsageError(`${file} has no default export`);
  return { config: parseConfig(value, file), file, folder: dirname(resolve(file)) };
}

/** Reads the config of the flag or of the working folder; throws `UsageError` when there is none. */
export async function requireConfigFile(args: Arguments): Promise<ConfigFile> {
  const file = findConfigFile(args);
  if (file !== undefined) return readConfigFile(file);
  throw new UsageError(
    `There is no ${names[0]} in this folder; write one (docs/deploy.md), or name it with --config FILE`,
  );
}
