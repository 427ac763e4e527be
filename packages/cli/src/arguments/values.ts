import { existsSync, readFileSync } from "node:fs";

import type { Json } from "@x/runtime";

import { fillVariables } from "./variables.ts";
import { oneLine } from "../terminal/terminal-text.ts";
import { messageOf, UsageError } from "../errors.ts";

/** Longer arguments are cut in messages. */
const maxQuotedLength = 80;

/** True for `name=value`. */
export const isPair = (text: string): boolean => /^[^\s={}[\]"/]+=/.test(text);

function parsePair(pair: string): [string, Json] {
  const at = pair.indexOf("=");
  if (!isPair(pair)) throw new UsageError(`--props needs name=value, got "${pair}"`);
  const text = pair.slice(at + 1);
  try {
    return [pair.slice(0, at), JSON.parse(text) as Json];
  } catch {
    return [pair.slice(0, at), text];
  }
}

/** The pairs of a JSON file. */
function readPairs(path: string): [string, Json][] {
  let values: unknown;
  try {
    values = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    // The parser's message may quote a secret of the file.
    const why = error instanceof SyntaxError ? "it is not JSON" : messageOf(error);
    throw new UsageError(`--props @${path} cannot be read: ${why}`);
  }
  if (typeof values === "object" && values !== null && !Array.isArray(values))
    return Object.entries(values as { readonly [prop: string]: Json });
  throw new UsageError(`--props @${path} needs a JSON object of props by their names`);
}

/**
 * Props from `name=value` pairs, and from JSON files as `@FILE`; a later one has priority. A value is JSON if it can be
 * parsed, else a string; `${NAME}` in it is a variable of the environment. Throws `UsageError`.
 */
export function parseProps(pairs: readonly string[]): { [prop: string]: Json } {
  const given = pairs.flatMap((pair) => (pair.startsWith("@") ? readPairs(pair.slice(1)) : [parsePair(pair)]));
  return Object.fromEntries(
    given.map(([name, value]): [string, Json] => [name, fillVariables(value, `The value of ${name}`)]),
  );
}

/** The one component file among the operands; the others are pairs after `--props`. Throws `UsageError`. */
export function readFileOperand(operands: readonly string[]): { file: string; pairs: readonly string[] } {
  const [file, ...pairs] = operands;
  if (file === undefined) throw new UsageError("Which FILE?");
  const extra = pairs.find((each) => !isPair(each));
  if (extra !== undefined) throw new UsageError(`One FILE at a time; "${extra}" is one too many`);
  return { file, pairs };
}

/** The files among the operands; the others are pairs after `--props`. */
export function readFileOperands(operands: readonly string[]): { files: readonly string[]; pairs: readonly string[] } {
  const isOfProps = (each: string): boolean => isPair(each) && !existsSync(each);
  return { files: operands.filter((each) => !isOfProps(each)), pairs: operands.filter(isOfProps) };
}

function readEventFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The event file ${path} cannot be read: ${messageOf(error)}`);
  }
}

/** An event from JSON text, or from `@FILE`. */
export function parseEvent(flag: string, text: string): Json {
  const json = text.startsWith("@") ? readEventFile(text.slice(1)) : text;
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    const origin = text.startsWith("@") ? text.slice(1) : `"${oneLine(text, maxQuotedLength)}"`;
    const why = error instanceof Error ? ` (${oneLine(error.message, maxQuotedLength)})` : "";
    throw new UsageError(`--${flag} must be JSON, or @FILE with JSON; got ${origin}${why}`);
  }
}
