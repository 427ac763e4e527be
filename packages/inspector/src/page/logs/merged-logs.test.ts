import type { LogSummary } from "@x/client";
import { expect, test } from "vitest";

import { logKey, mergedLogs } from "./merged-logs.ts";

const log = (id: string, emitter: string): LogSummary => ({ id, metadata: { emitter_id: emitter } }) as LogSummary;

test("records of several sources are in one order, each once, also those with the same id", () => {
  const known = [log("9-0", "a"), log("5-10", "b")];
  const given = [log("5-9", "a"), log("10-0", "b"), log("9-0", "b"), log("9-0", "a")];
  expect(mergedLogs(known, given).map(logKey)).toEqual(["b 10-0", "b 9-0", "a 9-0", "b 5-10", "a 5-9"]);
  expect(mergedLogs(known, [log("9-0", "a")])).toBe(known);
});

test("only the newest ones are kept", () => {
  const many = Array.from({ length: 6_000 }, (_, index) => log(`${index}-0`, "a"));
  const merged = mergedLogs([], many);
  expect([merged.length, merged.at(-1)?.id]).toEqual([5_000, "1000-0"]);
});
