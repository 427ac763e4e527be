import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { killAll } from "../faults/service.child.ts";
import { runRotationCampaign } from "./rotation-campaign.ts";

const folder = await mkdtemp(join(tmpdir(), "x-rotation-"));
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

test("kill -9 around the renewal of a token loses no refresh token", async () => {
  const found = await runRotationCampaign({ folder, rounds: 3, seed: 20_261_123 });
  expect(found.problems).toEqual([]);
  expect(found.lost).toBe(0);
  expect(found.renewals).toBeGreaterThanOrEqual(3);
  expect(found.runs).toBe(3);
});
