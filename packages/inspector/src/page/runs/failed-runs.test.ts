import { expect, test } from "vitest";

import { runsToReplay } from "./failed-runs.ts";

const run = (id: string, replayOf: string | null = null, entry: "run" | "activate" = "run") => ({
  execution_id: id,
  replay_of: replayOf,
  entry,
});
const replayed = (...runs: readonly ReturnType<typeof run>[]): string[] =>
  runsToReplay(runs).map(({ execution_id: id }) => id);

test("failed runs are replayed oldest first, and hooks are not", () => {
  expect(replayed(run("c"), run("b", null, "activate"), run("a"))).toEqual(["a", "c"]);
  expect(replayed()).toEqual([]);
});

test("an event whose replays failed too is replayed once", () => {
  expect(replayed(run("c", "b"), run("b", "a"), run("a"))).toEqual(["c"]);
  expect(replayed(run("d", "a"), run("c"), run("b", "a"), run("a"))).toEqual(["b", "c", "d"]);
  // The run that it repeats is no longer stored.
  expect(replayed(run("b", "gone"))).toEqual(["b"]);
});
