import { stripVTControlCharacters, styleText } from "node:util";

import { safeText } from "./visible.ts";

export type Style = Parameters<typeof styleText>[0];

/** Text for standard output, coloured only when that is a terminal. */
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Text of a component or a sender on one line, cut at `longest` characters. */
export function oneLine(text: string, longest: number): string {
  const line = safeText(text.replaceAll(/\s+/g, " "));
  // Not in the middle of a character that takes two places.
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

const minColumns = 40;

const colourStart = "\u001b[";

/** Cut at as many columns; what colours it takes no place, and stays. */
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

/** A line as long as the terminal is wide; where there is no terminal it stays as it is. */
export function fitWidth(line: string): string {
  const { isTTY, columns } = process.stdout;
  return !isTTY || columns < minColumns || line.includes("\n") ? line : cutLine(line, columns);
}

/** What of a payload is more than the terminal is wide is cut; where there is no terminal nothing is. */
export const fitLine = (line: string): string =>
  /^ {2}(?:event|drop |export|returned|step|db {3}|response)|^ {12}|^ {2}\S+ = /.test(line) ? fitWidth(line) : line;

const most = 4;

/** As a list to be read: of many, such as those of a `git checkout`, the first. */
export const someNames = (names: readonly string[]): string =>
  names.length <= most + 1 ? names.join(", ") : `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
