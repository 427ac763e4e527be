import { expect, test } from "vitest";

import { createReadQueue } from "./read-queue.ts";
import type { Candidate } from "./scan.ts";

const candidate = (file: string): Candidate => ({ id: file, shown: file, file: `/r/${file}`, root: "/r" });
const files = ["a.mjs", "new-order.mjs", "b.mjs", "legacy.mjs"].map(candidate);
const hints = new Map(
  files.flatMap((each, n) => {
    const key = ["key-a", undefined, "key-b", "renamed"][n];
    return key === undefined ? [] : [[each, key] as const];
  }),
);

test("the queue gives files in order, each once", () => {
  const queue = createReadQueue(files, hints);
  expect(files.map(() => queue.next())).toEqual(files);
  expect(queue.next()).toBeUndefined();
});

test("S10 files that may have a requested key come first, by their text or else by their name, each once", () => {
  const queue = createReadQueue(files, hints);
  void queue.readFirst("renamed");
  void queue.readFirst("acme-new-order");
  void queue.readFirst("acme-new-order");
  expect(files.map(() => queue.next()?.shown)).toEqual(["legacy.mjs", "new-order.mjs", "a.mjs", "b.mjs"]);
});

test("S10 a request for a key waits only for files that may have it", async () => {
  const queue = createReadQueue(files, hints);
  await queue.readFirst("nobody-has-it");
  const found = queue.readFirst("renamed").then(() => queue.left);
  const [taken] = [queue.next()];
  expect(taken?.shown).toBe("legacy.mjs");
  if (taken) queue.done(taken);
  expect(await found).toBe(3);
  await queue.readFirst("renamed");
});

test("a requeued file comes after all others", () => {
  const queue = createReadQueue(files, hints);
  const first = queue.next();
  if (first) queue.requeue(first);
  expect(files.map(() => queue.next()?.shown)).toEqual(["new-order.mjs", "b.mjs", "legacy.mjs", "a.mjs"]);
});
