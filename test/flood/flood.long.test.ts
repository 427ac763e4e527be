import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { killAll } from "../faults/service.child.ts";
import { floods } from "./floods.ts";
import { runFlood } from "./run-flood.ts";

const folders: string[] = [];
afterAll(async () => {
  await killAll();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

// Side by side: a flood lasts for a time, and the end of each process waits for the runs in progress.
test.concurrent.each(floods)("a service outlasts the flood $name: $about", async ({ name }) => {
  const data = await mkdtemp(join(tmpdir(), "x-flood-"));
  folders.push(data);
  const { exitCode, problems, flooded } = await runFlood({
    data,
    flood: name,
    share: 0.1,
    neighbours: 5,
    paceMs: 100,
    calmMs: 500,
    floodMs: 1_000,
    restMs: 0,
    worstMs: 500,
    runTimeout: "4s",
    mayHold: true,
  });
  expect(problems).toEqual([]);
  expect(exitCode).toBe(0);
  expect(flooded.probeMs.length).toBeGreaterThan(0);
});
