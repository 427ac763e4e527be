import { stripVTControlCharacters, styleText } from "node:util";

import { safeText } from "./visible.ts";

export type Style = Parameters<typeof styleText>[0];

/** Text for standard output, coloured when that is a terminal. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Text of a component or a sender on one line, cut at `longest` characters. */
export function oneLine(text: string, longest: number): string {
  const line = safeText(text.replaceAll(/\s+/g, " "));
  // Does not split a surrogate pair.
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

const minColumns = 40;

const colourStart = "\u001b[";

/** Cuts a line at `columns`; escape sequences of colours have no width and are kept. */
function cutLine(line: string, columns: number): string {
  if (stripVTControlCharacters(line).length <= columns) return line;
  let left = columns - 1;
  let isCut = false;
  const cut = (text: string): string => {
    if (isCut) return "";
    isCut = text.length > left;
    const kept = isCut ? `${text.slice(0, left).replace(/[\ud800-\udbff]$/, "")}…` : text;
    left -= text.length;
    return kept;
  };
  const [plain = "", ...coloured] = line.split(colourStart);
  return [
    cut(plain),
    ...coloured.map((part) => {
      const textAt = part.indexOf("m") + 1;
      return colourStart + part.slice(0, textAt) + cut(part.slice(textAt));
    }),
  ].join("");
}

/** A line cut at the width of the terminal; unchanged without a terminal. */
export function fitWidth(line: string): string {
  const { isTTY, columns } = process.stdout;
  return !isTTY || columns < minColumns || line.includes("\n") ? line : cutLine(line, columns);
}

/** Cuts lines with payloads at the width of the terminal; leaves other lines unchanged. */
export const fitLine = (line: string): string =>
  /^ {2}(?:event|drop |export|returned|step|db {3}|response)|^ {12}|^ {2}\S+ = /.test(line) ? fitWidth(line) : line;

const maxNames = 4;

/** Names as a list; of many, such as the files of a `git checkout`, the first and the number of the others. */
export const someNames = (names: readonly string[]): string =>
  names.length <= maxNames + 1
    ? names.join(", ")
    : `${names.slice(0, maxNames).join(", ")} and ${names.length - maxNames} more`;
