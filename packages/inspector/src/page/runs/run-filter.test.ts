import { expect, test } from "vitest";

import { fits, isRestricted, queryOf, readRunFilter } from "./run-filter.ts";

const run = { status: "ok", trigger: "http", duration_ms: 120, emitted_count: 0, deduped: 2 } as const;
const fitsWith = (search: string): boolean => fits(run, readRunFilter(new URLSearchParams(search)));

test("a run fits what its summary tells", () => {
  const fitting = ["", "status=ok", "trigger=http", "min_ms=100", "events=none", "events=dropped", "q=anything"];
  const others = ["status=failed", "status=timeout", "trigger=timer", "min_ms=121", "events=emitted"];
  expect(fitting.filter(fitsWith)).toEqual(fitting);
  expect(others.filter(fitsWith)).toEqual([]);
});

test("only what is restricted is asked for", () => {
  const filter = readRunFilter(new URLSearchParams("q=A-7&events="), "dc_1");
  expect([filter.source, queryOf(filter), isRestricted(filter)]).toEqual(["dc_1", { q: "A-7" }, true]);
  expect(isRestricted(readRunFilter(new URLSearchParams("source=dc_1")))).toBe(false);
});
