import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { Runtime } from "../../runtime/src/api/runtime-api.ts";
import { testEngine } from "../../runtime/src/engine.cases.ts";
import { createRuntime } from "../../runtime/src/runtime.ts";
import { writeFiles } from "./bundle.cases.ts";

let runtime: Runtime;
const folder = mkdtempSync(join(tmpdir(), "x-undeclared-"));
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
});
afterAll(async () => {
  await runtime.close();
  rmSync(folder, { recursive: true });
});

/** Path, file, line and message of each warning of a component in files, the entry first. */
async function toldOf(name: string, files: { readonly [file: string]: string }): Promise<string[]> {
  const root = writeFiles(folder, name, files);
  const [file = ""] = Object.keys(files);
  const { shape } = await runtime.saveComponent({ file: join(root, file), root });
  return (shape.warnings ?? [])
    .filter(({ rule }) => rule === "undeclared-member")
    .map((each) => `${each.path} ${each.file}:${each.line} ${/this\.\S+/.exec(each.message)?.[0]}`);
}

let count = 0;
const toldOfMembers = (members: string, before = ""): Promise<string[]> =>
  toldOf(`members-${++count}`, {
    "feed.ts": `${before}export default { name: "Feed", version: "1",\n${members}\n};`,
  });

test("reads of members that `this` does not have are reported once each, with their location and the closest name", async () => {
  expect(
    await toldOfMembers(`props: { apiKey: "string", db: "$.service.db" },
methods: {
  url(path: string) { return this.baseUrl + path; },
},
hooks: { async deploy() {
  const { missing, apiKey } = this;
} },
async run(event: { id: string }) {
  [1].forEach(() => this.$emit(this.apikey, this["other"]));
  this.url(this.apikey, await this.$emits());
}`),
  ).toEqual([
    "/methods/url feed.ts:4 this.baseUrl",
    "/hooks/deploy feed.ts:7 this.missing",
    "/run feed.ts:10 this.apikey",
    "/run feed.ts:10 this.other",
    "/run feed.ts:11 this.$emits",
  ]);
  const { shape } = await runtime.saveComponent({
    code: `export default { name: "F", version: "1", props: { apiKey: "string" }, run() { this.$emit(this.apikey); } };`,
  });
  expect(shape.warnings).toEqual([
    {
      rule: "undeclared-member",
      path: "/run",
      message:
        'this.apikey is undefined: the component has no prop or method of this name, and nothing sets it (did you mean "apiKey"?)',
      file: "component.js",
      line: 1,
      column: 96,
    },
  ]);
});

test.each([
  ["declared", `props: { a: "string" }, methods: { b() {} }, run() { this.$emit([this.a, this.b()]); }`],
  ["set by a hook", `hooks: { activate() { this.token = 1; } }, run() { this.$emit(this.token); }`],
  ["set by a method", `methods: { start() { [this.a, { b: this.b }] = []; } }, run() { this.start(this.a, this.b); }`],
  ["counted", `run() { this.count ??= 0; this.count++; this.$emit(this.count); }`],
  ["of every object", `run() { this.$emit(this.hasOwnProperty("a") + this.toString()); }`],
  ["given by additionalProps", `additionalProps() { return {}; }, run() { this.$emit(this.any); }`],
  [
    "of another this",
    `run() { const a = { b() { return this.c; } }; this.$emit(a); [1].map(function () { this.d; }, {}); }`,
  ],
  ["of a class", `run() { class A { b = 1; c() { return this.d; } } this.$emit(new A().c()); }`],
  ["of this given away", `run() { fill(this); this.$emit(this.filled); }`],
  ["of an alias", `run() { const self = this; self.a = 1; this.$emit(this.a); }`],
  ["set by a name made at run time", `run(event) { this[event.a] = 1; this.$emit(this.b); }`],
  ["of a function called with it", `run() { fill.call(this); this.$emit(this.filled); }`],
  ["of an arrow function", `run: (event) => event.a`],
])("nothing is reported for members that are %s", async (_what, members) => {
  expect(
    await toldOfMembers(members, "const fill = (target: object) => Object.assign(target, { filled: 1 });\n"),
  ).toEqual([]);
});

test("names that are spread in are known, from whatever they are made", async () => {
  const told = await toldOf("spread", {
    "feed.mjs": `import common from "./common.mjs";
import { made } from "./made.mjs";
export default { ...common, ...made("x"), name: "Feed", version: "1",
  methods: { ...common.methods, ...made("y").methods, own() { return this.nothing; } },
  run() { this.$emit([this.team, this.x, this.list(), this.y(), this.own()]); } };`,
    "common.mjs": `export default { props: { team: "string" }, methods: { list() { return this.team; }, never() { return this.abstract(); } } };`,
    "made.mjs": `export const made = (name) => ({ props: { [name]: "string", team: "string" }, methods: { [name]() {} } });`,
  });
  expect(told).toEqual(["/methods/own feed.mjs:4 this.nothing"]);
});

test("a method that is spread in is read where something calls it, and may look whether a name is there", async () => {
  const common = `export default { methods: {
  list() {
    if (this.before) this.before();
    return this.items();
  },
} };`;
  const feed = (run: string): string => `import common from "./common.mjs";
export default { ...common, name: "Feed", version: "1", run() { ${run} } };`;
  expect(await toldOf("called", { "feed.mjs": feed("this.$emit(this.list());"), "common.mjs": common })).toEqual([
    "/methods/list common.mjs:4 this.items",
  ]);
  expect(await toldOf("not-called", { "feed.mjs": feed("this.$emit(1);"), "common.mjs": common })).toEqual([]);
});

test("members of an app are its own", async () => {
  const told = await toldOf("app", {
    "feed.mjs": `import acme from "./acme.app.mjs";
export default { name: "Feed", version: "1", props: { acme }, run() { this.$emit([this.acme.get(), this.acmee]); } };`,
    "acme.app.mjs": `export default { type: "app", app: "acme", methods: { get() { return this.$auth.token + this.anything; } } };`,
  });
  expect(told).toEqual(["/run feed.mjs:2 this.acmee"]);
});
