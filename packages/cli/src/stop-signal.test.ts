import { expect, test } from "vitest";

import { isRepeatedSignal } from "./stop-signal.ts";

test("what comes again at once was passed on by npm; another signal, or the same one later, is a second one", () => {
  const first = { signal: "SIGINT", atMs: 1_000 } as const;
  expect(isRepeatedSignal(first, { signal: "SIGINT", atMs: 1_030 })).toBe(true);
  expect(isRepeatedSignal(first, { signal: "SIGTERM", atMs: 1_030 })).toBe(false);
  expect(isRepeatedSignal(first, { signal: "SIGINT", atMs: 2_000 })).toBe(false);
});
