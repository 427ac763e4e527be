/** What differs from run to run: a text of the page, and the pattern of what stands there in an output. */
const varying: readonly (readonly [example: string, pattern: string])[] = [
  // Ids are kept: later commands of the page name them.
  ["(?:dc|sc)_\\w{10}\\b", "((?:dc|sc)_\\w{10})"],
  ["\\b[0-9A-Za-z]{27}\\b", "([0-9A-Za-z]{27})"],
  ["\\b[0-9A-Za-z]{40}\\b", "[0-9A-Za-z]{40}"],
  ["token=[\\w-]+", "token=[\\w-]+"],
  ["\\b\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(?::\\d\\d)?", "\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(?::\\d\\d)?"],
  ["\\b\\d\\d:\\d\\d:\\d\\d\\b", "\\d\\d:\\d\\d:\\d\\d"],
  ["http://[\\d.]+:\\d+", ""],
  ["\\b\\d+\\.\\d+\\.\\d+\\b", "\\d+\\.\\d+\\.\\d+"],
  ["\\b[\\d.]+ ?m?s\\b", "[\\d.]+ ?m?s"],
  ["\\b[\\d.]+ (?:[KM]i?)?B\\b", "[\\d.]+ (?:[KM]i?)?B"],
  ["\\b\\d+ packages", "\\d+ packages"],
  ['"timestamp":\\d+', '"timestamp":\\d+'],
  // Columns are as wide as their widest value.
  [" {2,}", " {2,}"],
];

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** A text that a page shows, as a pattern of outputs. */
export interface Shown {
  readonly pattern: string;
  /** The ids in the text, one for each group of the pattern. */
  readonly ids: readonly string[];
}

const varies = new RegExp(varying.map(([example]) => `(${example})`).join("|"), "g");

function lineOf(line: string, ids: string[]): string {
  let pattern = "";
  let at = 0;
  for (const match of line.matchAll(varies)) {
    const kind = match.slice(1).findIndex((group) => group !== undefined);
    const [, found = ""] = varying[kind] ?? [];
    if (found.startsWith("(")) ids.push(match[0]);
    pattern += escaped(line.slice(at, match.index)) + (found === "" ? escaped(match[0]) : found);
    at = match.index + match[0].length;
  }
  return pattern + escaped(line.slice(at));
}

/** The pattern of a text in a page. A line `…` stands for any lines, or none; ids, times, durations, sizes and versions may be others. */
export function readShown(text: string): Shown {
  const ids: string[] = [];
  const lines = text.trimEnd().split("\n");
  const pattern = lines.map((line, index) => {
    if (line.trim() === "…") return "(?:.*\\n)*?";
    return `${lineOf(line, ids)}[ ]*${index < lines.length - 1 ? "\\n" : ""}`;
  });
  return { pattern: pattern.join(""), ids };
}
