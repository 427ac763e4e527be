import { stackPlaces } from "@x/model";

/** Lines before and after the one that is marked. */
const around = 2;
const maxLineChars = 160;

const shownLine = (text: string): string => {
  const line = text.replaceAll("\t", " ").trimEnd();
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
};

/**
 * The lines around the first frame of a mapped stack that is in a file of the author, with a mark. `textOf` returns the text
 * of such a file.
 */
export function findCodeFrame(stack: string, textOf: (file: string) => string | undefined): string | undefined {
  const known = new Map<string, readonly string[] | undefined>();
  for (const { file, line, column } of stackPlaces(stack)) {
    const lines = known.has(file) ? known.get(file) : textOf(file)?.split("\n");
    known.set(file, lines);
    if (lines?.[line - 1] === undefined) continue;
    const first = Math.max(1, line - around);
    const shown = lines.slice(first - 1, line + around);
    const width = String(first + shown.length - 1).length;
    const rows = shown.map((text, index) => {
      const number = first + index;
      const row = `${number === line ? ">" : " "} ${String(number).padStart(width)} | ${shownLine(text)}`.trimEnd();
      const mark = `${" ".repeat(width + 2)} | ${" ".repeat(Math.max(0, column - 1))}^`;
      return number === line && column <= maxLineChars ? `${row}\n${mark}` : row;
    });
    return [`${file}:${line}:${column}`, ...rows].join("\n");
  }
  return undefined;
}
