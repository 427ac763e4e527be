import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { checkPlatform, findPlatformProblem, nodeRange } from "./platform.ts";

test("a Node that x does not run on gets one sentence that names those that it does", () => {
  expect(findPlatformProblem({ node: "20.20.2" })).toBe(
    "x needs Node 22.22.2 or later (22), 24.15.0 or later (24), or 26.0.0 and later; this is Node 20.20.2; install one from https://nodejs.org",
  );
  for (const other of ["9.99.99", "22.9.9", "22.22.1", "23.11.0", "24.14.9", "25.9.0"]) {
    expect(findPlatformProblem({ node: other })).toContain(`this is Node ${other};`);
  }
  for (const good of ["22.22.2", "22.100.0", "24.15.0", "26.0.0", "27.1.0"]) {
    expect(findPlatformProblem({ node: good })).toBeUndefined();
  }
  expect(checkPlatform).not.toThrow();
});

test("what passes for a supported Node is named", () => {
  expect(findPlatformProblem({ node: "24.15.0", bun: "1.4.5" })).toMatch(/^x needs Node .*; this is Bun 1\.4\.5; /);
  expect(findPlatformProblem({ node: "26.1.0", deno: "2.9.6" })).toMatch(/^x needs Node .*; this is Deno 2\.9\.6; /);
});

test("every package, and every project that x new makes, names the same versions of Node", () => {
  for (const name of ["types", "client", "sandbox", "runtime", "testing", "inspector", "server", "postgres", "cli"]) {
    const file = fileURLToPath(new URL(`../../${name}/package.json`, import.meta.url));
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { engines: { node: string } };
    expect([name, manifest.engines.node]).toEqual([name, nodeRange]);
  }
});
