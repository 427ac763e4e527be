// oxlint-disable-next-line no-control-regex -- finding control characters is the point
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const escaped = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Text of a component or a sender, made safe to print: it cannot steer the terminal. */
export const safeText = (text: string): string => text.replaceAll(control, escaped);

/** The same on one line, cut at `longest` characters. */
export function oneLine(text: string, longest: number): string {
  const line = safeText(text.replaceAll(/\s+/g, " "));
  // Not in the middle of a character that takes two places.
  return line.length > longest ? `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

const leastColumns = 40;

/** What of a payload is more than the terminal is wide is cut; where there is no terminal nothing is. */
export function fitLine(line: string): string {
  const { isTTY, columns } = process.stdout;
  // Colours take no place; lines with them are short.
  if (!isTTY || columns < leastColumns || line.includes("\n") || line.includes("\u001b") || line.length <= columns)
    return line;
  return /^ {2}(?:event|drop |export|returned|step|db {3}|response)|^ {12}|^ {2}\S+ = /.test(line)
    ? `${line.slice(0, columns - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : line;
}
