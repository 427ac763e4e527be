import { diffArrays } from "diff/lib/diff/array.js";

import { differences, explainDifferences, matches, written } from "./partial-match.ts";

/** A line of the comparison of two lists. */
export type Row =
  | { readonly kind: "same"; readonly expected: unknown; readonly actual: unknown }
  | { readonly kind: "changed"; readonly expected: unknown; readonly actual: unknown }
  | { readonly kind: "missing"; readonly expected: unknown }
  | { readonly kind: "extra"; readonly actual: unknown };

/** Lists with more differences are compared index by index. */
const maxChanges = 500;

/** The longest common subsequence; items between its pairs are changed, missing or extra. */
export function align(expected: readonly unknown[], actual: readonly unknown[]): Row[] {
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  for (const [nextLeft, nextRight] of [...longestCommon(expected, actual), [expected.length, actual.length] as const]) {
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
  const parts = diffArrays([...expected], [...actual], { comparator: matches, maxEditLength: maxChanges }) ?? [];
  const pairs: (readonly [number, number])[] = [];
  let [left, right] = [0, 0];
  for (const { added, removed, count } of parts) {
    if (!added && !removed)
      pairs.push(...Array.from({ length: count }, (_, index) => [left + index, right + index] as const));
    if (!added) left += count;
    if (!removed) right += count;
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
