import { text } from "node:stream/consumers";

import type { DbEntry } from "@x/client";
import type { Json } from "@x/runtime";

import { oneLine } from "../terminal/terminal-text.ts";
import { columns } from "./output.ts";

const maxValueLength = 100;

/** The value of a text: parsed if it is JSON, else the text itself. */
export function parseValue(given: string): Json {
  try {
    return JSON.parse(given) as Json;
  } catch {
    return given;
  }
}

/** The value of an operand; `-` reads it from standard input. */
export const readValue = async (operand: string): Promise<Json> =>
  parseValue(operand === "-" ? await text(process.stdin) : operand);

const shown = (value: Json): string => oneLine(JSON.stringify(value), maxValueLength);

/** The entries of a db or data store, a line each. */
export const entryLines = (entries: readonly DbEntry[]): string[] =>
  columns(entries.map(({ key, value }) => [key, shown(value)]));

/** A key with its value, after it was written. */
export const writtenLine = ({ key, value }: { readonly key: string; readonly value: Json }): string =>
  `${key} = ${shown(value)}`;
