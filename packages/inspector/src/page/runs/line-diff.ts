import { diffArrays } from "diff/lib/diff/array.js";

/** A line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

const maxLines = 400;

/** The shortest change from one text to another, line by line; long texts are replaced as a whole. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [old = [], now = []] = [before, after].map((text) => (text === "" ? [] : text.split("\n")));
  const isLong = old.length > maxLines || now.length > maxLines;
  return diffArrays(old, now, isLong ? { comparator: () => false } : {}).flatMap(({ added, removed, value }) =>
    value.map((text): DiffLine => ({ kind: added ? "added" : removed ? "removed" : "same", text })),
  );
}

/** The change of a value, as lines of its JSON; undefined is an absent value. */
export function diffValues(before: unknown, after: unknown): DiffLine[] {
  const text = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));
  return diffLines(text(before), text(after));
}
