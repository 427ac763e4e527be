import { expect, test } from "vitest";

import { threadsFor } from "./worker-threads.ts";

test.each([
  ["a light load that is spread over eight threads", 8 * 0.05, 1, 1],
  ["two threads that are always busy", 2, 1, 3],
  ["no load", 0, 3, 3],
])("%s needs a number of threads that follows from the time in which they are busy", (_name, load, usual, expected) => {
  expect(threadsFor(load, usual)).toBe(expected);
});
