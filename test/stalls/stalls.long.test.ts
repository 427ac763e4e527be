import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { killAll } from "../faults/service.child.ts";
import { certainMs } from "../faults/thread-holds.ts";
import { runLargeRequests } from "./run-requests.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-stalls-"));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

/** The same requests each time; `npm run soak:stalls` sends others. */
const seed = 1;

test("no request that is as large as the OpenAPI document allows holds the main thread", async () => {
  const options = { data: join(folder, "data"), count: 200, seed };
  const { failures, holds, statuses, largestBody } = await runLargeRequests(options);
  expect(failures).toEqual([]);
  expect(holds.filter(({ duration_ms: ms }) => ms >= certainMs)).toEqual([]);
  expect(statuses["200"]).toBeGreaterThan(20);
  expect(largestBody).toBeGreaterThan(900_000);
});
