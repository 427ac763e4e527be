import { differences, explainDifferences, matches, written } from "./partial-match.ts";

/** A line of the comparison of two lists. */
export type Row =
  | { readonly kind: "same"; readonly expected: unknown; readonly actual: unknown }
  | { readonly kind: "changed"; readonly expected: unknown; readonly actual: unknown }
  | { readonly kind: "missing"; readonly expected: unknown }
  | { readonly kind: "extra"; readonly actual: unknown };

/** Above this number of cells lists are compared index by index. */
const mostCells = 250_000;

/** The longest common subsequence; items between its pairs are changed, missing or extra. */
export function align(expected: readonly unknown[], actual: readonly unknown[]): Row[] {
  const pairs = expected.length * actual.length > mostCells ? [] : longestCommon(expected, actual);
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  for (const [nextLeft, nextRight] of [...pairs, [expected.length, actual.length] as const]) {
    rows.push(...between(expected.slice(left, nextLeft), actual.slice(right, nextRight)));
    if (nextLeft < expected.length)
      rows.push({ kind: "same", expected: expected[nextLeft], actual: actual[nextRight] });
    [left, right] = [nextLeft + 1, nextRight + 1];
  }
  return rows;
}

function between(expected: readonly unknown[], actual: readonly unknown[]): Row[] {
  return Array.from({ length: Math.max(expected.length, actual.length) }, (_, index): Row => {
    if (index >= actual.length) return { kind: "missing", expected: expected[index] };
    if (index >= expected.length) return { kind: "extra", actual: actual[index] };
    const pair = { expected: expected[index], actual: actual[index] };
    return { kind: matches(pair.expected, pair.actual) ? "same" : "changed", ...pair };
  });
}

function longestCommon(expected: readonly unknown[], actual: readonly unknown[]): (readonly [number, number])[] {
  const width = actual.length + 1;
  const lengths = new Uint32Array((expected.length + 1) * width);
  const at = (left: number, right: number): number => lengths[left * width + right] ?? 0;
  for (let left = expected.length - 1; left >= 0; left--)
    for (let right = actual.length - 1; right >= 0; right--)
      lengths[left * width + right] = matches(expected[left], actual[right])
        ? at(left + 1, right + 1) + 1
        : Math.max(at(left + 1, right), at(left, right + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let left = 0, right = 0; left < expected.length && right < actual.length;) {
    if (at(left, right) === at(left + 1, right)) left += 1;
    else if (at(left, right) === at(left, right + 1)) right += 1;
    else pairs.push([left++, right++]);
  }
  return pairs;
}

/** The comparison as text: `=` as expected, `-` missing, `+` not expected, `!` different. */
export function tableOf(rows: readonly Row[], show: (actual: unknown) => string = written): string {
  return rows
    .flatMap((row): string[] => {
      switch (row.kind) {
        case "same":
          return [`  = ${show(row.actual)}`];
        case "missing":
          return [`  - ${written(row.expected)}`];
        case "extra":
          return [`  + ${show(row.actual)}`];
        case "changed": {
          const why = explainDifferences(differences(row.expected, row.actual)).map((line) => `      ${line}`);
          return [`  ! ${show(row.actual)}`, ...why];
        }
      }
    })
    .join("\n");
}
