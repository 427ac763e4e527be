import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";

import { expect, test } from "vitest";

import { boundThreads, findServiceStart } from "./service-process.ts";
import { makeFolder, spawnX } from "./spawned.cases.ts";

const semiSpace = "--max-semi-space-size=8";

test("a service restarts once, on Linux, unless the allocator is configured already", () => {
  const begun = findServiceStart("linux", { env: { HOME: "/home/x" }, flags: ["--trace-warnings"] });
  expect(begun).toMatchObject({
    env: { HOME: "/home/x", MALLOC_ARENA_MAX: "2" },
    flags: ["--trace-warnings", semiSpace],
  });
  expect(findServiceStart("linux", begun ?? { env: {}, flags: [] })).toBeUndefined();
  expect(findServiceStart("linux", { env: { MALLOC_ARENA_MAX: "8" }, flags: [] })).toBeUndefined();
  expect(findServiceStart("darwin", { env: {}, flags: [] })).toBeUndefined();
});

test("a service keeps the size of the young generation that it was given", () => {
  const given = "--max-semi-space-size=64";
  expect(findServiceStart("linux", { env: {}, flags: [given] })?.flags).toEqual([given]);
  expect(findServiceStart("linux", { env: { NODE_OPTIONS: given }, flags: [] })?.flags).toEqual([]);
});

test("threads of a service have a young generation of 8 MiB at the most", async () => {
  boundThreads();
  const code = `const kept = [];
    for (let n = 0; n < 1e6; n++) kept[n % 20_000] = { n, in: [n] };
    const space = require("node:v8").getHeapSpaceStatistics().find((each) => each.space_name === "new_space");
    require("node:worker_threads").parentPort.postMessage(space.space_size);`;
  const [size] = (await once(new Worker(code, { eval: true, execArgv: [] }), "message")) as [number];
  expect(size).toBeLessThanOrEqual(8 * 1024 * 1024);
});

test.runIf(process.platform === "linux")("a service keeps its process when it begins anew", async () => {
  await using folder = await makeFolder();
  await using x = spawnX(["serve", "--port", "0", "--data", "data"], { cwd: folder.path });
  await x.printed(/Serving on/);
  const read = (name: string): string[] => readFileSync(`/proc/${x.child.pid}/${name}`, "utf8").split("\0");
  expect(read("environ")).toContain("MALLOC_ARENA_MAX=2");
  expect(read("cmdline")).toContain(semiSpace);
  x.child.kill("SIGTERM");
  expect(await x.exit).toBe(0);
});
