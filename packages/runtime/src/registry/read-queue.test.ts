import { expect, test } from "vitest";

import { createReadingLine } from "./read-queue.ts";
import type { Candidate } from "./scan.ts";

const candidate = (file: string): Candidate => ({ id: file, shown: file, file: `/r/${file}`, root: "/r" });
const files = ["a.mjs", "new-order.mjs", "b.mjs", "legacy.mjs"].map(candidate);
const hints = new Map(
  files.flatMap((each, n) => {
    const key = ["key-a", undefined, "key-b", "renamed"][n];
    return key === undefined ? [] : [[each, key] as const];
  }),
);

test("files are taken in their order, each once", () => {
  const line = createReadingLine(files, hints);
  expect(files.map(() => line.next())).toEqual(files);
  expect(line.next()).toBeUndefined();
});

test("S10 files that may have a key somebody waits for come first, by their text or else by their name, each once", () => {
  const line = createReadingLine(files, hints);
  void line.mayHave("renamed");
  void line.mayHave("acme-new-order");
  void line.mayHave("acme-new-order");
  expect(files.map(() => line.next()?.shown)).toEqual(["legacy.mjs", "new-order.mjs", "a.mjs", "b.mjs"]);
});

test("S10 a key is waited for until what may have it is read, and no longer", async () => {
  const line = createReadingLine(files, hints);
  await line.mayHave("nobody-has-it");
  const found = line.mayHave("renamed").then(() => line.left);
  const [taken] = [line.next()];
  expect(taken?.shown).toBe("legacy.mjs");
  if (taken) line.done(taken);
  expect(await found).toBe(3);
  await line.mayHave("renamed");
});

test("what is to be read again comes after all others", () => {
  const line = createReadingLine(files, hints);
  const first = line.next();
  if (first) line.again(first);
  expect(files.map(() => line.next()?.shown)).toEqual(["new-order.mjs", "b.mjs", "legacy.mjs", "a.mjs"]);
});
