import { existsSync } from "node:fs";

import { loadVariables } from "../environment.ts";
import { messageOf, UsageError } from "../errors.ts";
import type { Arguments, Flag } from "./arguments.ts";

const defaultFile = ".env";

/** The flag of development tools for a file with variables. */
export const envFileFlag: Flag = {
  name: "env-file",
  value: "FILE",
  about: "variables for this command, such as X_API_KEY, and for ${NAME} in values (default: .env, if there is one)",
};

/** The flag of services, which read no file unless it is named. */
export const givenEnvFileFlag: Flag = {
  name: "env-file",
  value: "FILE",
  about: "variables for this command, such as X_API_KEY, and for ${NAME} in values",
};

/** Loads the env file of the flag, and no other. Throws `UsageError`. */
export function loadGivenEnvFile(args: Arguments): void {
  if (args.has("env-file")) loadEnvFile(args);
}

/**
 * Loads the variables of the env file; those of the environment have priority. Only development tools do: components have no
 * environment, and services get theirs from who starts them. Throws `UsageError`.
 */
export function loadEnvFile(args: Arguments): void {
  const given = args.text("env-file");
  if (given === undefined && !existsSync(defaultFile)) return;
  try {
    loadVariables(given ?? defaultFile);
  } catch (error) {
    throw new UsageError(`The env file ${given ?? defaultFile} cannot be read: ${messageOf(error)}`);
  }
}
