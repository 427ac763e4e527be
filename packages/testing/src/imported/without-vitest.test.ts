import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, onTestFinished, test } from "vitest";

/** The build starts in half the time of the sources. */
const index = new URL("../../dist/index.js", import.meta.url).href;
const files = {
  "base.mjs": `export const base = { run() { this.$emit(this.name); } };`,
  // The function that runs is in another file.
  "feed.mjs": `import { base } from "./base.mjs";
globalThis.evaluated = (globalThis.evaluated ?? 0) + 1;
export default { ...base, name: "Feed", version: "1", props: { name: { type: "string" } } };
export const hourly = { ...base, name: "Hourly", version: "1" };`,
  "typed.ts": `interface Emitter { $emit(event: string): void }
export default { name: "Typed", version: "1", run(this: Emitter) { this.$emit("typed"); } };`,
  "late.mjs": `import "./later.mjs";`,
  "later.mjs": `export const later = true;`,
  "old.cjs": `module.exports = { name: "Old", version: "1", run() { this.$emit("old"); } };`,
  "all.test.mjs": `import assert from "node:assert";
import { createRequire } from "node:module";
import { test } from "node:test";
import { source } from ${JSON.stringify(index)};
import feed, { hourly } from "./feed.mjs";
import typed from "./typed.ts";
import old from "./old.cjs";

test("imported components run from their files, and are evaluated once", async () => {
  const emitted = [];
  for (const component of [feed, feed, typed, old]) {
    await using trial = source(component, component === feed ? { props: { name: "feed" } } : {});
    await trial.deploy();
    emitted.push((await trial.run()).emits[0].event);
  }
  assert.deepEqual(emitted, ["feed", "feed", "typed", "old"]);
  assert.equal(evaluated, 1);
});

test("other objects are refused", () => {
  assert.throws(() => source(hourly), /This object is the export "hourly" of .*feed\\.mjs\\. The harness runs the default/);
  assert.throws(() => source({ ...feed }), /^HarnessError: No imported file has this object as its default export/);
});

test("a loader that separates require from import runs no file again", async () => {
  await import("./late.mjs");
  const { extensions } = createRequire(import.meta.url);
  globalThis.again = 0;
  extensions[".mjs"] = (module, file) => module._compile("globalThis.again += 1;", file);
  assert.throws(() => source({ ...feed }), /^HarnessError: No imported file has/);
  assert.equal(again, 1);
  delete extensions[".mjs"];
});
`,
};

test("without vitest the loaded modules of Node are searched", async () => {
  const folder = mkdtempSync(join(tmpdir(), "x-without-vitest-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { NODE_OPTIONS: _, NODE_CHANNEL_FD: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ["all.test.mjs"], { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }),
  );
  expect(stdout).toMatch(/ pass 3\n\S+ fail 0\n/);
});
