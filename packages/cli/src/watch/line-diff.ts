/** One line of two texts: in both, only in the first (-) or only in the second (+). */
export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Only so many lines are compared, to bound the table; further lines of the second text are shown as added. */
const maxTableLines = 1_000;

/** The number of lines in common, from each pair of positions on. */
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
 * The shortest difference, in order, removed lines before added ones. Lines are equal when `keyOf` gives the same text for
 * them; the second text's version is shown.
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
