/** One line of two texts: in both, only in the former, or only in the latter. */
export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Beyond this many lines a table of all pairs would be large; what lies behind is told as it is now. */
const maxTableLines = 1_000;

/** How many lines two lists have in common, from each pair of places on. */
function commonFrom(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = table[i] ?? new Uint16Array();
      const below = table[i + 1] ?? new Uint16Array();
      row[j] = before[i] === after[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}

/**
 * The fewest lines that differ, in order, what is gone before what has come. `keyOf` leaves out what does not count;
 * lines that are the same by it are shown as they are now.
 */
export function lineDiff(
  before: readonly string[],
  after: readonly string[],
  keyOf: (line: string) => string,
): DiffLine[] {
  const [old, now] = [before, after].map((lines) => lines.slice(0, maxTableLines).map(keyOf)) as [string[], string[]];
  const common = commonFrom(old, now);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length;) {
    const [former = "", latter = ""] = [before[i], after[j]];
    const isSame = i < old.length && j < now.length && old[i] === now[j];
    if (isSame) {
      lines.push({ mark: " ", text: latter });
      i += 1;
      j += 1;
    } else if (j === now.length || (i < old.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ mark: "-", text: former });
      i += 1;
    } else {
      lines.push({ mark: "+", text: latter });
      j += 1;
    }
  }
  return [...lines, ...after.slice(maxTableLines).map((text): DiffLine => ({ mark: "+", text }))];
}
