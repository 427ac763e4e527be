import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { expect, onTestFinished, test } from "vitest";

import { XError } from "@x/runtime";

import { failureText } from "./failure.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { readVersion } from "../version.ts";

test("x help COMMAND is x COMMAND --help; the version has its usual names", async () => {
  const [asked, flagged] = [await runHere(["help", "run"]), await runHere(["run", "--help"])];
  expect(asked).toEqual(flagged);
  expect(asked.out).toContain("Usage: x run FILE");
  expect(await runHere(["help", "rnu"])).toMatchObject({ code: 2 });
  for (const name of ["--version", "-v", "-V", "version"])
    expect(await runHere([name])).toEqual({ code: 0, out: `${readVersion()}\n`, err: "" });
});

test("an unknown command is reported like every failure, with --json as a document", async () => {
  expect((await runHere(["dve"])).err).toBe('error: Unknown command "dve"; did you mean x dev? x --help lists all\n');
  expect((await runHere(["--versoin"])).err).toContain("did you mean x --version?");
  expect((await runHere(["zzzzzz"])).err).toBe('error: Unknown command "zzzzzz"; x --help lists all\n');
  expect((await runHere(["redeliver"])).err).toContain("did you mean x webhooks redeliver?");
  const { code, out, err } = await runHere(["dve", "--json"]);
  expect([code, err]).toEqual([2, ""]);
  expect(JSON.parse(out)).toMatchObject({ error: { code: "usage" }, exit_code: 2 });
});

test("a failure with a code names x explain, in a terminal only", async () => {
  await using folder = await makeFolder({ "a.js": `export default { name: "A", version: "1", run() {} };` });
  const told = (): Promise<{ err: string }> => runHere(["run", "a.js", "--props", "zz=1"], { cwd: folder.path });
  const before = process.stderr.isTTY;
  onTestFinished(() => void (process.stderr.isTTY = before));
  process.stderr.isTTY = false;
  const { err } = await told();
  expect(err).toMatch(/^error\[invalid_props\]: [^]* has no prop "zz"\n$/);
  process.stderr.isTTY = true;
  expect((await told()).err).toBe(`${err}See x explain invalid_props.\n`);
});

test("an event that is not JSON is reported with the argument", async () => {
  await using folder = await makeFolder({ "a.js": `export default { name: "A", version: "1", run() {} };` });
  const { code, err } = await runHere(["run", "a.js", "--event", "{bad"], { cwd: folder.path });
  expect([code, err]).toEqual([2, expect.stringContaining('or @FILE with JSON; got "{bad" (')]);
});

test("a problem that the message says whole is not repeated", async () => {
  const said = new XError("invalid_parameter", ["url", "an absolute http or https URL", '""']);
  expect(failureText(said)).toBe(`error[invalid_parameter]: ${said.message}`);
  const json = new XError("invalid_json", ["syntax error at line 1"]);
  expect(failureText(json)).toBe(`error[invalid_json]: ${json.message}`);
  const errors = ["a", "b"].map((name) => ({ path: `/${name}`, message: "must be a text" }));
  const two = new XError("invalid_parameter", ["a", "a text", "5"], { details: { errors } });
  expect(failureText(two).split("\n").slice(1)).toEqual(["  /a  must be a text", "  /b  must be a text"]);
});

test.skipIf(!existsSync("/dev/full"))("output that cannot be written ends x with one line, exit 4", async () => {
  const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const full = openSync("/dev/full", "w");
  const child = spawn(process.execPath, [main, "explain"], { stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  const [err, [code]] = await Promise.all([child.stderr && text(child.stderr), once(child, "close")]);
  expect([code, err]).toEqual([4, expect.stringMatching(/^error: standard output cannot be written: ENOSPC: .*\n$/)]);
});

test("a missing prop, and a text that is no value of the type, are reported with the right syntax", async () => {
  const code = `export default { name: "A", version: "1", props: { size: { type: "integer" } }, run() {} };`;
  await using folder = await makeFolder({ "a.js": code });
  const run = (...props: string[]) => runHere(["run", "a.js", ...props], { cwd: folder.path });
  expect((await run()).err).toContain("Set props with --props NAME=VALUE.");
  expect((await run("--props", "size=many")).err).toContain(`--props size  Prop "size" must be an integer, got "many"`);
  expect(await run("--props", "size=12345")).toMatchObject({ code: 0, err: "" });
});

test("an account that is not there suggests the flag for another one", () => {
  const error = new XError("account_missing", ["apn_1", "billing", "acme"]);
  expect(failureText(error).split("\n").at(-1)).toBe(
    "  Give another one with --account acme=NAME; x accounts add acme adds one.",
  );
});
