import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { findNodeProblem, readNodeRange } from "./version.ts";

const range = "^22.22.2 || ^24.15.0 || >=26.0.0";

test("a Node that x does not run on gets one line that names those that it does", () => {
  expect(findNodeProblem("20.20.2", range)).toBe(
    "error: x needs Node 22.22.2 or later (22), 24.15.0 or later (24), or 26.0.0 and later; this is Node 20.20.2; install one from https://nodejs.org",
  );
  for (const other of ["9.99.99", "22.9.9", "22.22.1", "23.11.0", "24.14.9", "25.9.0"]) {
    expect(findNodeProblem(other, range)).toContain(`this is Node ${other};`);
  }
  for (const good of ["22.22.2", "22.100.0", "24.15.0", "26.0.0", "27.1.0"]) {
    expect(findNodeProblem(good, range)).toBeUndefined();
  }
});

test("every package, and every project that x new makes, names the same versions of Node", () => {
  expect(readNodeRange()).toBe(range);
  for (const name of ["types", "runtime", "testing", "server", "cli"]) {
    const file = fileURLToPath(new URL(`../../${name}/package.json`, import.meta.url));
    const manifest = JSON.parse(readFileSync(file, "utf8")) as { engines: { node: string } };
    expect([name, manifest.engines.node]).toEqual([name, range]);
  }
});
