import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../sandbox/contract.ts";
import { openSandbox, tryComponent } from "../sandbox/sandbox.cases.ts";
import { failure } from "./bundle.cases.ts";
import { findBuiltin } from "./builtin-modules.ts";
import { createBundler } from "./bundler.ts";
import { createStackMapper } from "./stack.ts";

const bundler = createBundler({ timeoutMs: 8_000, memoryBytes: 512 * 1024 * 1024, codeBytes: 512 * 1024 });
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => Promise.all([bundler.close(), sandbox.close()]));

async function emitted(code: string): Promise<unknown> {
  const { bundle } = await bundler.bundle({ code });
  const { emits, outcome } = await tryComponent(sandbox, bundle);
  expect(outcome.error).toBeUndefined();
  return JSON.parse(emits[0]?.payload ?? "null");
}

const forms: [form: string, imports: string, used: string][] = [
  ["a default import", `import events from "events";`, `events.name, typeof events.once`],
  ["named imports", `import { EventEmitter, once } from "node:events";`, `EventEmitter.name, typeof once`],
  ["a namespace", `import * as events from "events";`, `events.default.name, typeof events.once`],
  [
    "a namespace with the same name inside",
    `import { default as all } from "node:events";`,
    `all.name, typeof all.once`,
  ],
  ["require", `const events = require("events");`, `events.name, typeof events.EventEmitter.once`],
  ["a dynamic import", ``, `(await import("node:events")).EventEmitter.name, typeof (await import("events")).once`],
];

test.each(forms)("a built-in can be taken by %s", async (_form, imports, used) => {
  const module = imports.startsWith("import") ? "export default" : "module.exports =";
  expect(await emitted(`${imports} ${module} { name: "t", async run() { this.$emit([${used}]) } }`)).toEqual([
    "EventEmitter",
    "function",
  ]);
});

test("there is one instance of a built-in, whoever imports it", async () => {
  const code = `import { EventEmitter } from "events"; import stream, { Readable } from "node:stream"; import * as again from "stream";
    import { promises } from "fs"; import all from "fs/promises"; import { Buffer as Required } from "buffer";
    export default { run() { this.$emit([new Readable() instanceof EventEmitter, again.Readable === stream.Readable, promises === all, Required === Buffer]) } }`;
  expect(await emitted(code)).toEqual([true, true, true, true]);
});

test("only what is imported becomes part of the bundle", async () => {
  const code = (imports: string): string => `${imports} export default { name: "t" }`;
  const plain = await bundler.bundle({ code: code("") });
  const small = await bundler.bundle({ code: code(`import querystring from "querystring"; querystring.parse("");`) });
  expect(plain.bundle).not.toContain("querystring");
  expect(small.bundle).not.toContain("EventEmitter");
  expect(small.contentHash).not.toBe(plain.contentHash);
  expect(small.files).toEqual(plain.files);
});

test("stacks keep the author's frames and leave out those of built-ins", async () => {
  const code = `import { EventEmitter } from "events";
const emitter = new EventEmitter();
emitter.on("a", function listener() { throw new Error("in a listener"); });
export default { run() { emitter.emit("a"); } };`;
  const built = await bundler.bundle({ code });
  const { outcome } = await tryComponent(sandbox, built.bundle);
  const stack = createStackMapper()(outcome.error?.stack ?? "", { hash: "h", sourceMap: built.sourceMap });
  expect(stack).toBe(
    ["Error: in a listener", "    at listener (component.js:3:49)", "    at run (component.js:4:34)"].join("\n"),
  );
});

test("built-ins name no place of the machine that made them", async () => {
  const { bundle, sourceMap } = await bundler.bundle({
    code: `import * as fs from "fs"; import * as util from "util"; import * as assert from "assert"; export default { fs, util, assert }`,
  });
  expect(bundle + sourceMap).not.toContain(process.cwd());
  expect(bundle).not.toMatch(/["'`](?:\.\.\/)+/);
});

test("what the prelude hands to built-ins is not for components", async () => {
  const error = await failure(bundler.bundle({ code: `import host from "x:host"; export default { host }` }));
  expect(error.code).toBe("bundle_failed");
});

test.each(["../guest-prelude", "no-such", "fs/../../guest-prelude"])("%s is no built-in", (name) => {
  expect(findBuiltin(name)).toBeUndefined();
});
