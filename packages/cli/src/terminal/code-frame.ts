import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { stackPlaces } from "@x/model";

import { isCodedError } from "../errors.ts";

const maxLineLength = 160;

function readLine(file: string, line: number): string | undefined {
  try {
    return readFileSync(file, "utf8").split("\n")[line - 1];
  } catch {
    return undefined;
  }
}

/** The source line of the first frame of a mapped stack, with a mark; undefined when it cannot be read. `root` is the folder of the file names. */
export function findCodeFrame(stack: string, root: string): string | undefined {
  const [place] = stackPlaces(stack);
  const text = place && readLine(resolve(root, place.file), place.line);
  if (!place || text === undefined) return undefined;
  const { line, column } = place;
  const at = Math.max(0, column - 1);
  // Of a long line only the part around the position.
  const start = text.length > maxLineLength ? Math.max(0, at - maxLineLength / 2) : 0;
  const [before, after] = [start > 0 ? "…" : "", start + maxLineLength < text.length ? "…" : ""];
  const shown =
    before +
    text
      .slice(start, start + maxLineLength)
      .replaceAll("\t", " ")
      .trimEnd() +
    after;
  const mark = " ".repeat(before.length + at - start);
  return `${line} | ${shown}\n${" ".repeat(String(line).length)} | ${mark}^`;
}

/** Adds the source line of an error's stack as `details.frame`. `root` is the folder of the file names. */
export function withFailedLine(error: unknown, root: string): unknown {
  if (!isCodedError(error)) return error;
  const { stack } = error.details;
  const frame = typeof stack === "string" ? findCodeFrame(stack, root) : undefined;
  if (frame !== undefined) Object.assign(error.details, { frame });
  return error;
}
