import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { vitestArguments } from "./run-tests.ts";
import { makeFolder, runX, spawnX } from "./spawned.cases.ts";

test("words go on as they are; only watching and JSON have words of x", () => {
  const words = ["a.test.ts", "-t", "emits once", "--coverage"];
  expect(vitestArguments(words)).toEqual(["run", ...words]);
  expect(vitestArguments(["--watch", "a"])).toEqual(["watch", "a"]);
  expect(vitestArguments(["--json", "a"], "r")).toEqual(["run", "a", "--reporter=json", "--outputFile=r"]);
});

test("the vitest of the project is run, found from a folder in it, and its exit code is that of x", async () => {
  await using folder = await makeFolder();
  const installed = join(folder.path, "node_modules", "vitest");
  await mkdir(join(folder.path, "src"));
  await mkdir(installed, { recursive: true });
  await writeFile(join(installed, "package.json"), '{"type":"module","bin":{"vitest":"./run.js"}}');
  await writeFile(join(installed, "run.js"), "console.log(process.argv.slice(2).join(' ')); process.exitCode = 7;");
  const { code, out, err } = await runX(["test", "a.test.ts", "--bail", "1"], { cwd: join(folder.path, "src") });
  expect([code, out, err]).toEqual([7, "run a.test.ts --bail 1\n", ""]);
});

test("with --json also a vitest that makes no report ends with one document", async () => {
  await using folder = await makeFolder({
    "node_modules/vitest/package.json": '{"type":"module","bin":{"vitest":"./run.js"}}',
    "node_modules/vitest/run.js": "console.log('no such option'); process.exitCode = 1;",
  });
  const { code, out, err } = await runX(["test", "--nope", "--json"], { cwd: folder.path });
  expect([code, err]).toEqual([1, "no such option\n"]);
  expect(JSON.parse(out)).toMatchObject({
    error: { message: expect.stringContaining("wrote no report") as string },
    exit_code: 1,
  });
});

test("vitest ends with x when the terminal goes away", async () => {
  await using folder = await makeFolder({
    "node_modules/vitest/package.json": '{"type":"module","bin":{"vitest":"./run.js"}}',
    "node_modules/vitest/run.js": "console.log(process.pid); setInterval(() => undefined, 60_000);",
  });
  await using x = spawnX(["test", "--watch"], { cwd: folder.path });
  const [pid] = await x.printed(/\d+/);
  x.child.kill("SIGHUP");
  expect(await x.exit).toBe(129);
  expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
});

test("where there is no vitest one line says so, exit 4", async () => {
  await using folder = await makeFolder();
  const { code, out, err } = await runX(["test"], { cwd: folder.path });
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(/^error: vitest is not installed in \S+ or above; npm install --save-dev vitest [^\n]*\n$/);
});
