import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { hostilePrograms } from "../../packages/sandbox/src/hostile.cases.ts";
import { isExpectedEnd, runHostilePrograms } from "./hostility.ts";
import { killAll, startService } from "./service.child.ts";

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), "x-hostile-"));
});
afterAll(async () => {
  await killAll();
  await rm(data, { recursive: true, force: true });
});

const chosen = hostilePrograms.filter(({ what }) =>
  [
    "an endless loop that catches everything",
    "a native search that looks at no interrupt",
    "a timer that never stops",
    "a shared object as deep JSON",
    "plain recursion",
    "deeply nested JSON",
    "a doubling string",
    "one allocation beyond the limit",
    "overwritten built-ins",
  ].includes(what),
);

test("S24 hostile sources end with their errors while a neighbour loses nothing and the service goes on", async () => {
  const service = await startService(data, { args: ["--run-timeout", "400ms", "--memory", "48mb"] });
  const found = await runHostilePrograms(service, chosen, { pauseMs: 20 });
  expect(chosen).toHaveLength(9);
  for (const [index, end] of found.ends.entries()) {
    const program = chosen[index];
    expect(program && isExpectedEnd(program, end), JSON.stringify({ ...end, latenciesMs: undefined })).toBe(true);
    expect(end.memoryGrowthBytes ?? 0).toBeLessThan(256 * 1024 * 1024);
  }
  // While a source spins, requests to others are answered.
  const spinning = found.ends.filter(({ code }) => code === "sandbox_timeout");
  expect(spinning.length).toBeGreaterThan(0);
  expect(spinning.filter(({ latenciesMs }) => latenciesMs.length === 0)).toEqual([]);
  expect(found.acknowledged).toBeGreaterThan(0);
  expect(found.counted).toBe(found.acknowledged);
  await service.kill("SIGTERM");
  expect(service.process.exitCode).toBe(0);
});
