import { expect, test } from "vitest";

import { createReadingLine, type ReadingLine } from "./reading-line.ts";

const lineOf = (...files: string[]): ReadingLine =>
  createReadingLine(files.map((file) => ({ id: file, shown: file, file, root: "/r" })));

function rest(line: ReadingLine): string[] {
  const files: string[] = [];
  for (let next = line.next(); next; next = line.next()) files.push(next.file);
  return files;
}

test("files are taken in their order, each once", () => {
  const line = lineOf("/r/a.mjs", "/r/b.mjs", "/r/c.mjs");
  expect(rest(line)).toEqual(["/r/a.mjs", "/r/b.mjs", "/r/c.mjs"]);
  expect(line.next()).toBeUndefined();
});

test("S10 files that may have a key somebody waits for come first, each once", () => {
  const line = lineOf("/r/a.mjs", "/r/b.mjs", "/r/new.mjs", "/r/other/new.mjs", "/r/last.mjs");
  line.hurry("acme-new");
  line.hurry("unknown");
  line.hurry("other-new");
  line.hurry("last");
  expect(rest(line)).toEqual(["/r/new.mjs", "/r/other/new.mjs", "/r/last.mjs", "/r/a.mjs", "/r/b.mjs"]);
});

test("S10 what was taken does not come again for somebody who waits", () => {
  const line = lineOf("/r/a.mjs", "/r/b.mjs", "/r/c.mjs");
  expect(line.next()?.file).toBe("/r/a.mjs");
  for (const key of ["a", "c", "c"]) line.hurry(key);
  expect(line.next()?.file).toBe("/r/c.mjs");
  line.hurry("c");
  expect(rest(line)).toEqual(["/r/b.mjs"]);
});
