import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../../sandbox/src/contract.ts";
import { builtinText } from "../../sandbox/src/machine/engine-files.ts";
import { partsFor } from "../../sandbox/src/thread/preload.ts";
import { openSandbox, tryComponent } from "../../sandbox/src/sandbox.cases.ts";
import { failure, testBundler as bundler } from "./bundle.cases.ts";
import { resolveBuiltin } from "./builtin-modules.ts";
import { atOnce } from "../../model/src/process/slices.ts";
import { joinBundles } from "./bundle/join-bundles.ts";
import { createStackMapper } from "./bundle/stack.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

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

test("all importers share one instance of a built-in", async () => {
  const code = `import { EventEmitter } from "events"; import stream, { Readable } from "node:stream"; import * as again from "stream";
    import { promises } from "fs"; import all from "fs/promises"; import { Buffer as Required } from "buffer";
    export default { run() { this.$emit([new Readable() instanceof EventEmitter, again.Readable === stream.Readable, promises === all, Required === Buffer]) } }`;
  expect(await emitted(code)).toEqual([true, true, true, true]);
});

test("a built-in stays outside of the bundle", async () => {
  const code = (imports: string): string => `${imports} export default { name: "t" }`;
  const plain = await bundler.bundle({ code: code("") });
  const small = await bundler.bundle({ code: code(`import querystring from "querystring"; querystring.parse("");`) });
  expect(plain.bundle).not.toContain("querystring");
  expect(small.bundle).toContain(`require("node:querystring")`);
  expect(small.bundle.length - plain.bundle.length).toBeLessThan(2_000);
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
  const stack = createStackMapper()(outcome.error?.stack ?? "", built.sourceMap);
  expect(stack).toBe(
    ["Error: in a listener", "    at listener (component.js:3:49)", "    at run (component.js:4:34)"].join("\n"),
  );
});

test.each(["fs", "util", "assert", "stream"])("the built-in %s names no place of the machine that made it", (name) => {
  const text = builtinText(`node:${name}`) ?? "";
  expect(text).toContain("module.exports");
  expect(text).not.toContain(process.cwd());
  expect(text).not.toMatch(/["'`](?:\.\.\/)+/);
});

test("what the prelude hands to built-ins is not for components", async () => {
  const error = await failure(bundler.bundle({ code: `import host from "x:host"; export default { host }` }));
  expect(error.code).toBe("bundle_failed");
});

test.each(["../guest-prelude", "no-such", "fs/../../guest-prelude"])("%s is no built-in", (name) => {
  expect(resolveBuiltin(name)).toBeUndefined();
});

test("a built-in that is imported and not used is not evaluated", async () => {
  const { bundle } = await bundler.bundle({
    code: `import "node:https"; import { createServer } from "http"; export default { name: "t" }`,
  });
  expect(bundle).not.toContain("require(");
});

test("a component that verifies a signature takes no streams with it", async () => {
  const { bundle } = await bundler.bundle({
    code: `import { createHmac } from "crypto"; export default { run() { createHmac("sha1", "k").update("a").digest("hex"); this.$emit(globalThis.x) } }`,
  });
  expect(partsFor(bundle)).toEqual(["buffer", "node:crypto"]);
});

test("the steps of a workflow share a built-in", async () => {
  const step = `import { EventEmitter } from "events"; export default { type: () => EventEmitter }`;
  const built = await bundler.bundle({ code: step });
  const { bundle } = atOnce(joinBundles(["first", "second"].map((name) => ({ name, ...built }))));
  const run = `{ this.$emit(new Set(steps.map(({ action }) => action.type())).size) }`;
  const { emits, outcome } = await tryComponent(
    sandbox,
    `${bundle}\nconst { steps } = module.exports; module.exports = { name: "t", run() ${run} };`,
  );
  expect(outcome.error).toBeUndefined();
  expect(emits[0]?.payload).toBe("1");
});

test.each(["x:host", "streams", "node:../guest-prelude", "node:no_such"])("a run cannot require %s", async (name) => {
  const code = `module.exports = { name: "t", run() { require(${JSON.stringify(name)}) } }`;
  const { outcome } = await tryComponent(sandbox, code);
  expect(outcome.error?.message).toBe(`Module "${name}" is not part of the bundle`);
});
