import { readFileSync } from "node:fs";

import { expect, test } from "vitest";

import { findServiceEnvironment } from "./allocator.ts";
import { makeFolder, spawnX } from "./spawned.cases.ts";

test("a service begins anew once, on Linux, unless the allocator is set up already", () => {
  const begun = findServiceEnvironment("linux", { HOME: "/home/x" });
  expect(begun).toMatchObject({ HOME: "/home/x", MALLOC_ARENA_MAX: "2" });
  expect(findServiceEnvironment("linux", begun ?? {})).toBeUndefined();
  expect(findServiceEnvironment("linux", { MALLOC_ARENA_MAX: "8" })).toBeUndefined();
  expect(findServiceEnvironment("darwin", {})).toBeUndefined();
});

test.runIf(process.platform === "linux")("a service keeps its process when it begins anew", async () => {
  await using folder = await makeFolder();
  await using x = spawnX(["serve", "--port", "0", "--data", "data"], { cwd: folder.path });
  await x.printed(/Serving on/);
  const environment = readFileSync(`/proc/${x.child.pid}/environ`, "utf8").split("\0");
  expect(environment).toContain("MALLOC_ARENA_MAX=2");
  x.child.kill("SIGTERM");
  expect(await x.exit).toBe(0);
});
