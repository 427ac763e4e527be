import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { corpus } from "./corpus.ts";

const text = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
/** The first column of the tables. */
const promises = [...text.matchAll(/^\| `([a-z-]+)`/gm)].map(([, promise]) => promise);
const countBy = (names: readonly string[]): Record<string, number> =>
  names.reduce<Record<string, number>>((counts, name) => ({ ...counts, [name]: (counts[name] ?? 0) + 1 }), {});

test("every promise of SECURITY.md has an attack, and every attack names one of them", () => {
  expect(promises.length).toBeGreaterThan(20);
  expect(new Set(promises).size).toBe(promises.length);
  expect(new Set(corpus.map(({ promise }) => promise))).toEqual(new Set(promises));
});

test("the corpus has at least 200 attacks, each with a unique id, in all classes", () => {
  expect(Object.entries(countBy(corpus.map(({ id }) => id))).filter(([, count]) => count > 1)).toEqual([]);
  expect(corpus.length).toBeGreaterThanOrEqual(200);
  const classes = countBy(corpus.map((attack) => attack.class));
  expect(Object.keys(classes)).toHaveLength(28);
  expect(Object.entries(classes).filter(([, count]) => count < 10)).toEqual([]);
});
