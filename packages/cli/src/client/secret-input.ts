import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";

import type { Json } from "@x/runtime";

import { messageOf, UsageError } from "../errors.ts";

const why = "secrets cannot be arguments: every user of the machine can read command lines, and shells store them";

/** Parses an object. Throws `UsageError`, without the text: it is secret. */
export function parseSecretObject(origin: string, json: string, example: string): { [field: string]: Json } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    value = undefined;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as { [field: string]: Json };
  throw new UsageError(`${origin} must hold a JSON object, such as ${example}`);
}

/** A secret text of a file, or of standard input. `what` says who needs it, for errors. */
export async function readSecret(
  file: string | undefined,
  what: { readonly command: string; readonly content: string; readonly flag: string },
): Promise<{ readonly origin: string; readonly content: string }> {
  if (file !== undefined && file !== "-") {
    try {
      return { origin: `The file ${file}`, content: readFileSync(file, "utf8") };
    } catch (error) {
      throw new UsageError(`The file ${file} cannot be read: ${messageOf(error)}; ${why}`);
    }
  }
  if (process.stdin.isTTY)
    throw new UsageError(`${what.command} needs ${what.content}, from --${what.flag} FILE or standard input; ${why}`);
  return { origin: "Standard input", content: await text(process.stdin) };
}
