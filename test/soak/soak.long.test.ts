import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { killAll } from "../faults/service.child.ts";
import { grownKinds } from "./footprint.ts";
import { runSoak } from "./run-soak.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-soak-"));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

test("a service under mixed load loses nothing, and leaves nothing behind when its sources are deleted", async () => {
  const { turns, counts, problems, exitCode } = await runSoak({
    folder,
    data: join(folder, "data"),
    warmMs: 1_000,
    loadMs: 4_000,
    turnMs: 1_000,
    paceMs: 100,
    neighbours: 5,
    hostileEvery: 20,
  });
  expect(problems).toEqual([]);
  expect(exitCode).toBe(0);
  expect(turns.filter(({ isWarm }) => isWarm).length).toBeGreaterThan(0);
  expect(Object.entries(counts).filter(([, count]) => count === 0)).toEqual([]);
});

test("what there is more of than before is named, except what may stay", () => {
  const [before, after] = [
    { socket: 2, pipe: 1 },
    { socket: 3, pipe: 1, "x.db": 1, kept: 9 },
  ];
  expect(grownKinds("descriptors", before, after, { kept: "it may stay" })).toEqual([
    "descriptors: 3 of socket, 2 before",
    "descriptors: 1 of x.db, 0 before",
  ]);
});
