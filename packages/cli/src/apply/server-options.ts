import { resolve } from "node:path";

import { Arguments, type Flag } from "../arguments/arguments.ts";
import { hintOf } from "../arguments/nearest.ts";
import { UsageError } from "../errors.ts";
import type { ConfigFile } from "./config-file.ts";

/** Keys are for the environment: a config lies in a repository. The others are not options of a service. */
const notOptions: ReadonlySet<string> = new Set([
  "api-key",
  "secret-key",
  "config",
  "env-file",
  "props",
  "workflow",
  "root",
]);
const paths: ReadonlySet<string> = new Set(["data", "registry"]);

const inKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const inCamelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The flags that a config's `server` may have, and those of them that this command takes. */
export interface ServerFlags {
  readonly known: readonly Flag[];
  readonly taken: readonly Flag[];
}

/**
 * The arguments with the options of the config's `server`, such as `publicUrl` for `--public-url`; the command line has priority.
 * Throws `UsageError` for an unknown one.
 */
export function withServerOptions(
  args: Arguments,
  { config: { server }, file, folder }: ConfigFile,
  { known, taken }: ServerFlags,
): Arguments {
  const names = known.map(({ name }) => name).filter((name) => !notOptions.has(name));
  const values = new Map<string, readonly string[]>();
  for (const [name, value] of Object.entries(server)) {
    const flag = inKebabCase(name);
    if (flag === "api-key" || flag === "secret-key")
      throw new UsageError(
        `${file}: server.${name} does not belong into a file; set X_${flag.toUpperCase().replace("-", "_")}`,
      );
    if (!names.includes(flag))
      throw new UsageError(`${file}: server.${name} is no option of x serve; ${hintOf(name, names.map(inCamelCase))}`);
    const expected = known.find((each) => each.name === flag)?.value;
    if ((expected === undefined) !== (typeof value === "boolean"))
      throw new UsageError(
        `${file}: server.${name} must be ${expected === undefined ? "true or false" : `a value such as ${expected}`}`,
      );
    if (value === false || !taken.some((each) => each.name === flag)) continue;
    const text = paths.has(flag) ? resolve(folder, String(value)) : String(value);
    values.set(flag, value === true ? [] : [text]);
  }
  for (const { name } of taken) if (args.has(name)) values.set(name, args.all(name));
  return new Arguments(args.operands, values);
}
