import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { killAll } from "../faults/service.child.ts";
import { missingTools } from "./recording.ts";
import { runPower } from "./run-power.ts";

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "x-power-")));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

const missing = missingTools();

test.skipIf(missing !== undefined)(
  `S1 a power failure at any moment loses nothing acknowledged and doubles nothing${missing === undefined ? "" : `: not tried, because ${missing}`}`,
  async () => {
    const found = await runPower({ folder, loadMs: 500, states: 24, seed: 20_261_123 });
    expect(found.problems).toEqual([]);
    expect(found.acknowledged).toBeGreaterThan(0);
    expect(found.flushes).toBeGreaterThan(0);
    expect(found.states.torn).toBeGreaterThan(0);
  },
);
