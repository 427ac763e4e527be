import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, parse } from "node:path";

import { TraceMap } from "@jridgewell/trace-mapping";
import { afterAll, expect, test } from "vitest";

import { createBundleStack } from "../../../sandbox/src/thread/bundle-text.ts";
import { openSandbox, tryComponent } from "../../../sandbox/src/sandbox.cases.ts";
import { writeFiles } from "../bundle.cases.ts";
import { createPackageTrees } from "../imports/package-trees.ts";
import { build } from "./build.ts";
import type { BuildReply } from "./bundle-messages.ts";
import { separateModules } from "./join-modules.ts";
import { findRequires } from "./separate-modules.ts";
import { mapStack } from "./stack.ts";

const folder = mkdtempSync(join(tmpdir(), "separate-modules-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Longer than the modules that are bundled in any case. */
const padding = `/* ${"what a module says about itself ".repeat(600)} */\n`;
/** The comment is behind what the module has to begin with, and moves its other lines. */
const long = (text: string, begin = `"use strict";\n`): string => `${begin}${padding}${text}`;

const files: Readonly<Record<string, string>> = {
  "package.json": `{ "name": "large", "version": "1.0.0", "main": "index.js" }`,
  "index.js": long(`
    exports.order = ["index"];
    exports.first = require("./first.js");
    exports.second = require("./second.js");
    exports.again = require("./second.js") === exports.second;
    exports.kinds = require("./kinds");
    exports.fails = require("./fails.js");
    exports.sloppy = require("./sloppy.js");
    exports.small = require("./small.js");
    exports.lines = require("./lines.js");
  `),
  "first.js": long(`
    const index = require(".");
    index.order.push("first begins");
    exports.early = 1;
    const second = require("./second.js");
    exports.seen = [second.early, second.late, Object.keys(index)];
    exports.late = 2;
    index.order.push("first ends");
  `),
  "second.js": long(`
    const { order } = require("./index.js");
    order.push("second begins");
    exports.early = 3;
    const first = require("./first.js");
    exports.seen = [first.early, first.late];
    exports.late = 4;
    order.push("second ends");
  `),
  "small.js": `require("./index.js").order.push("small"); module.exports = { large: require("./second.js").late };`,
  "kinds/index.js": long(`
    const called = require("./function.js");
    exports.function = [called.name, called.length, called(2), new called.Inner(5).shown()];
    exports.data = require("./data.json");
    exports.table = require("./table.json").rows.length;
    exports.esm = Object.entries(require("./esm.mjs"));
    exports.interop = [require("./interop.js").default, require("./interop.js").named];
    exports.builtin = [require("node:path").join("a", "b"), require("util").inspect([1])];
    exports.missing = [];
    try { require("no-such-package"); } catch (error) { exports.missing.push(error.code, error.message); }
    const name = ["lo", "cal"].join("");
    try { require("./" + name + ".js"); } catch (error) { exports.missing.push(error.code, error.message); }
    try { require(name); } catch (error) { exports.missing.push(error.name); }
    exports.environment = [process.env.NODE_ENV, __dirname, __filename];
    if (process.env.NODE_ENV !== "production") exports.debug = require("./no-such-file.js");
    exports.strict = (function () { return this === undefined; })();
  `),
  "kinds/function.js": long(`
    module.exports = function named(value) { return value * 2; };
    module.exports.Inner = class Inner { field = 1; static kind = "static"; #own; constructor(own) { this.#own = own; }
      shown() { return [this.field, this.#own, Inner.kind, Inner.name]; } };
  `),
  "kinds/data.json": `{ "small": [1, 2] }`,
  "kinds/table.json": JSON.stringify({ rows: Array.from({ length: 3_000 }, (_, row) => ({ row })) }),
  "kinds/esm.mjs": `${padding}import interop, * as all from "./interop.js"; import { named } from "./interop.js";
    export const keys = Object.keys(all).sort(); export { named, interop }; export default "default";`,
  "kinds/interop.js": long(`
    Object.defineProperty(exports, "__esModule", { value: true });
    exports.default = "its default"; exports.named = "its named";
  `),
  "sloppy.js": long(
    `this.own = this === exports && this === module.exports;
    undeclared = 1;
    exports.undeclared = undeclared;
    exports.octal = 010;
    exports.hoisted = hoisted();
    function hoisted() { return typeof exports.own; }
    exports.text = 'a call of require("./nothing.js") in a text';
    exports.pattern = /require("x")/.source;
    exports.late = () => import("./late.js").then((all) => [all.default.value, all.value]);
    if (exports.octal) return;
    exports.never = true;`,
    "",
  ),
  "late.js": long(`exports.value = "late";`),
  "effect.js": long(`globalThis.effects = (globalThis.effects ?? 0) + 1;`),
  "lines.js": long(`exports.text = \`one
two\`; exports.count = exports.text.split("\\n").length // ends in a comment`),
  "fails.js": long(`
    exports.method = function method(value) {
      const inner = () => { throw new TypeError("no " + value); };
      return inner();
    };
    exports.class = class Failing { static run() { return undefined.length; } };
    exports.load = () => require("./broken.js");
  `),
  "broken.js": long(`
    const { method } = require("./fails.js");
    exports.x = 1; method("in the module");
  `),
};

const component = `import large, { kinds } from "large";
import "large/effect.js";
const tried = (work) => {
  try { return work(); } catch (error) { return error + "\\n" + error.stack; }
};
export default {
  name: "Large", version: "0.1.0", props: {},
  async run() {
    const { fails, sloppy, lines, order, first, second, again, small } = large;
    this.$emit({ kinds, order, first, second, again, small, lines, sloppy: { ...sloppy, late: await sloppy.late() } });
    this.$emit({ effects: globalThis.effects });
    for (const work of [() => fails.method("call"), () => fails.class.run(), fails.load, fails.load]) this.$emit(tried(work));
  },
};`;

const tree = writeFiles(
  folder,
  "tree",
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`node_modules/large/${name}`, text])),
);
const requests = { large: "node_modules/large" };
const packages = { conditions: "node" as const, installed: { folder: tree, key: "key", requests } };
type Built = Extract<BuildReply, { kind: "built" }>;

async function built(code: string, maxBundledChars?: number, released?: () => void): Promise<Built> {
  const reply = await build({ code, codeBytes: 100_000, packages }, parse(process.execPath).root, {
    trees: createPackageTrees(),
    ...(maxBundledChars !== undefined && { maxBundledChars }),
    ...(released && { releaseEsbuild: released }),
  });
  if (reply.kind !== "built") throw new Error(JSON.stringify(reply));
  return reply;
}

/** What the component emits, with stacks in terms of its files. */
async function run({ bundle, sourceMap }: Built): Promise<unknown[]> {
  const { outcome, emits } = await tryComponent(await openSandbox(), bundle);
  expect(outcome).toMatchObject({ status: "ok" });
  const map = new TraceMap(sourceMap);
  const ofBundle = createBundleStack(bundle, "characters");
  return emits.map(({ payload }) => {
    const value: unknown = JSON.parse(payload);
    return typeof value === "string" ? mapStack(ofBundle(value), map) : value;
  });
}

/** Modules that only their text in the bundle can be. */
const separated = (bundle: string): string[] =>
  Object.keys(files).filter((name) => bundle.includes(`"large/${name}": function`));

test("a package whose large modules were minified alone does what it does in an ordinary bundle", async () => {
  const [ordinary, large] = [await built(component), await built(component, 1)];
  const { bundle, sourceMap: _, ...others } = ordinary;
  expect(large).toMatchObject({ ...others, isLarge: true });
  expect(bundle).not.toContain(separateModules);
  const [values, effects, ...failures] = await run(ordinary);
  expect(values).toMatchObject({ again: true, sloppy: { own: true, octal: 8, late: ["late", "late"] } });
  expect(effects).toEqual({ effects: 1 });
  expect(failures.at(-1)).toBe(
    "TypeError: no in the module\n" +
      "    at inner (large/fails.js:5:39)\n    at method (large/fails.js:6:7)\n" +
      "    at large/broken.js:5:20\n    at large/fails.js:9:26\n    at tried (component.js:4:16)\n    at run (component.js:12:114)",
  );
  expect(await run(large)).toEqual([values, effects, ...failures]);
});

test("what is no CommonJS, small, or not plain enough to be sure stays in the bundle", async () => {
  const { bundle } = await built(component, 1);
  expect(separated(bundle)).toEqual(
    Object.keys(files).filter(
      (name) =>
        ![
          "package.json",
          "small.js",
          "kinds/index.js",
          "kinds/data.json",
          "kinds/esm.mjs",
          "sloppy.js",
          "effect.js",
        ].includes(name),
    ),
  );
});

test("a large build gives the same text each time, and needs esbuild no more at its end", async () => {
  let released = 0;
  const first = await built(component, 1, () => (released += 1));
  expect(released).toBe(1);
  const second = await built(component, 1);
  expect(second.bundle === first.bundle).toBe(true);
  expect(second.sourceMap === first.sourceMap).toBe(true);
  const { bundle } = await built(component, 2 * Object.values(files).join("").length, () => (released += 1));
  expect(bundle === (await built(component)).bundle).toBe(true);
  expect(released).toBe(1);
});

test("a bundle with top-level await stays in one piece", async () => {
  const awaiting = `const waited = await Promise.resolve(3);\n${component}`;
  expect(await built(awaiting, 1)).toEqual(await built(awaiting));
});

test.each<[string, string[] | undefined]>([
  [`const a=require("./a"),b=require("b");require("./a");`, ["./a", "b"]],
  [`exports.a=1;`, []],
  [`exports.a="x / y";const b=require("./b");exports.c='c'`, ["./b"]],
  [`module.require("./a");`, undefined],
  [`require(name);`, undefined],
  [`require.resolve("./a");`, undefined],
  [`typeof require<"u"&&require("./a");`, undefined],
  [`exports.a='require("./b")';`, undefined],
  ['exports.a=`require("./b")`;', undefined],
  [`exports.a=/require("x")/;`, undefined],
  [`exports.a="\\"'";require("./b");`, ["./b"]],
  [`(0,require)("./a");`, undefined],
])("the paths that are required by %s", (code, paths) => {
  expect(findRequires(code)).toEqual(paths);
});
