/** A line of a difference. */
export interface DiffLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

const mostLines = 400;

/** The shortest change from one text to another, line by line; long texts are replaced as a whole. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before, after].map((text) => (text === "" ? [] : text.split("\n")));
  if (!a || !b) return [];
  if (a.length > mostLines || b.length > mostLines)
    return [
      ...a.map((text): DiffLine => ({ kind: "removed", text })),
      ...b.map((text): DiffLine => ({ kind: "added", text })),
    ];
  // lengths[i][j]: the longest common part of the rests of both from i and j.
  const lengths = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i] ?? "" });
      [i, j] = [i + 1, j + 1];
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "removed", text: a[i] ?? "" });
      i += 1;
    } else {
      lines.push({ kind: "added", text: b[j] ?? "" });
      j += 1;
    }
  }
  return lines;
}

/** The change of a value, as lines of its JSON; undefined is an absent value. */
export function diffValues(before: unknown, after: unknown): DiffLine[] {
  const text = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value, null, 2));
  return diffLines(text(before), text(after));
}
