import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { DeployInput } from "../api/api.ts";
import { makeFolder, openTrial, removeFolders, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

/** Files of one component; `HERE` marks where the error must be reported. The first file is the entry. */
interface Throwing {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** Sent as text instead of as a file. */
  readonly asText?: boolean;
}

const mark = "/*HERE*/";

const runs: readonly Throwing[] = [
  {
    what: "run, in text on one line",
    asText: true,
    files: { "component.js": `export default { name: "T", version: "1", run() { throw ${mark}new Error("boom") } };` },
  },
  {
    what: "run, in CommonJS text on one line",
    asText: true,
    files: {
      "component.js": `module.exports = { name: "T", version: "1", run() { throw ${mark}new Error("boom") } };`,
    },
  },
  {
    what: "a function above, in TypeScript text",
    asText: true,
    files: {
      "component.js": `interface Item { id: number }\n\nconst check = (item: Item): void => {\n  if (item.id > 0) throw ${mark}new Error("boom");\n};\nexport default { name: "T", version: "1", run() { check({ id: 1 } as Item); } };\n`,
    },
  },
  {
    what: "after an await",
    files: {
      "main.mjs": `export default {\n  name: "T", version: "1",\n  async run() {\n    await null;\n    throw ${mark}new Error("boom");\n  },\n};\n`,
    },
  },
  {
    what: "a method",
    files: {
      "main.mjs": `export default {\n  name: "T", version: "1",\n  methods: {\n    go() {\n      throw ${mark}new Error("boom");\n    },\n  },\n  run() {\n    this.go();\n  },\n};\n`,
    },
  },
  {
    what: "an imported function in a folder above",
    files: {
      "sources/feed/main.mjs": `import { parse } from "../../common/parse.mjs";\n\nexport default { name: "T", version: "1", run() { parse("x"); } };\n`,
      "common/parse.mjs": `// comment\n// comment\nexport function parse(text) {\n  if (text) {\n    throw ${mark}new Error("boom");\n  }\n}\n`,
    },
  },
  {
    what: "a method of an app in TypeScript",
    files: {
      "sources/main.ts": `import app from "../demo.app.ts";\n\nexport default { name: "T", version: "1", methods: app.methods, async run(this: any) { await this.list(); } };\n`,
      "demo.app.ts": `type Row = { id: string };\nexport default {\n  type: "app", app: "demo",\n  methods: {\n    async list(): Promise<Row[]> {\n      await Promise.resolve();\n      throw ${mark}new Error("boom");\n    },\n  },\n};\n`,
    },
  },
  {
    what: "a timer's callback",
    files: {
      "main.mjs": `export default {\n  name: "T", version: "1",\n  async run() {\n    setTimeout(() => {\n      throw ${mark}new Error("boom");\n    }, 1);\n    await new Promise((done) => setTimeout(done, 50));\n  },\n};\n`,
    },
  },
  {
    what: "a class made elsewhere",
    files: {
      "main.ts": `import { Boom } from "./boom.ts";\nexport default {\n  name: "T", version: "1",\n  run() {\n    throw ${mark}new Boom("boom");\n  },\n};\n`,
      "boom.ts": `export class Boom extends Error {\n  override readonly name = "Boom";\n  constructor(message: string) {\n    super(message);\n  }\n}\n`,
    },
  },
  {
    what: "a built-in function's callback",
    files: {
      "main.mjs": `const each = (n) => {\n  if (n === 2) throw ${mark}new Error("boom");\n  return n;\n};\nexport default { name: "T", version: "1", run() { [1, 2].map(each); } };\n`,
    },
  },
  {
    what: "the runtime, for an emit that it refuses",
    files: {
      "main.mjs": `export default {\n  name: "T", version: "1", dedupe: "unique",\n  run() {\n    this.${mark}$emit({ a: 1 });\n  },\n};\n`,
    },
  },
  {
    what: "the engine, for a property of undefined",
    files: {
      "main.mjs": `export default {\n  name: "T", version: "1",\n  run(event) {\n    const { missing } = event;\n    return missing.${mark}field;\n  },\n};\n`,
    },
  },
];

const hooks: readonly Throwing[] = [
  {
    what: "the deploy hook",
    files: {
      "main.mjs": `import { fail } from "./fail.mjs";\nexport default { name: "T", version: "1", hooks: { async deploy() { await fail(); } }, run() {} };\n`,
      "fail.mjs": `\nexport async function fail() {\n  throw ${mark}new Error("boom");\n}\n`,
    },
  },
];

const modules: readonly Throwing[] = [
  {
    what: "a module in a file beside",
    files: {
      "main.mjs": `import "./side.mjs";\nexport default { name: "T", version: "1", run() {} };\n`,
      "side.mjs": `const n = 1;\nif (n) throw ${mark}new Error("boom");\n`,
    },
  },
  {
    what: "a module of text",
    asText: true,
    files: { "component.js": `const n = [];\nn[0].${mark}x;\nexport default { name: "T", version: "1", run() {} };\n` },
  },
];

/** How to deploy it, and the file and line of its mark. */
function prepare({ files, asText }: Throwing): { input: DeployInput; location: string } {
  const root = makeFolder();
  const [entry = "main.mjs"] = Object.keys(files);
  let location = "";
  for (const [name, text] of Object.entries(files)) {
    const at = text.indexOf(mark);
    if (at >= 0) location = `${name}:${text.slice(0, at).split("\n").length}`;
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text.replace(mark, ""));
  }
  const code = (files[entry] ?? "").replace(mark, "");
  return { input: asText ? { code } : { file: join(root, entry), root }, location };
}

/** File and line of the first frame. */
function firstFrame(stack: string): string | undefined {
  const frame = stack.split("\n").find((line) => /^\s+at /.test(line));
  return /(?:\(|at )([^()\s]+:\d+):\d+\)?$/.exec(frame ?? "")?.[1];
}

describe("an error shows the author's own file and line", () => {
  it.each(runs.map((each) => [each.what, each] as const))("thrown by %s", async (_what, throwing) => {
    const { input, location } = prepare(throwing);
    const { source } = await trial.runtime.deploy({ ...input, props: {} });
    const { error } = await trial.runtime.invoke(source.id);
    expect(firstFrame(error?.stack ?? "")).toBe(location);
    expect(error?.stack).not.toMatch(/bundle\.js|prelude|native/);
    const [record] = (await trial.payloads(source.id, "$errors")) as { error: { stack: string } }[];
    expect(record?.error.stack).toBe(error?.stack);
  });

  it.each(hooks.map((each) => [each.what, each] as const))("thrown by %s", async (_what, throwing) => {
    const { input, location } = prepare(throwing);
    const failure: unknown = await trial.runtime.deploy(input).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "hook_failed" });
    expect(firstFrame((failure as { details: { stack: string } }).details.stack)).toBe(location);
  });

  it.each(modules.map((each) => [each.what, each] as const))("thrown by %s", async (_what, throwing) => {
    const { input, location } = prepare(throwing);
    const failure: unknown = await trial.runtime.deploy(input).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "invalid_component", message: expect.stringContaining(`${location}:`) });
    expect(firstFrame((failure as { details: { stack: string } }).details.stack)).toBe(location);
  });

  it.each(["export default ", "module.exports = "])("that called axios, which begins with %s", async (begin) => {
    const isModule = begin.startsWith("export");
    const { input, location } = prepare({
      what: "",
      files: {
        "main.mjs": `import app from "./demo.app.mjs";\n\nexport default { name: "T", version: "1", methods: app.methods,\n  async run() { await null; await this.list(); } };\n`,
        "demo.app.mjs": `import axios from "axios";\nexport default { type: "app", app: "demo", methods: {\n  async list() {\n    await null;\n    const { data } = await axios.${mark}request("/");\n    return data;\n  },\n} };\n`,
        "node_modules/axios/package.json": `{ "name": "axios", "version": "${isModule ? "1.21.1" : "0.27.2"}", "type": "${isModule ? "module" : "commonjs"}", "main": "index.js" }`,
        "node_modules/axios/index.js": isModule
          ? `import Axios from "./lib/core/Axios.js"; export default new Axios();`
          : `const Axios = require("./lib/core/Axios.js"); module.exports = new Axios();`,
        "node_modules/axios/lib/core/Axios.js": `function Axios() {}\nAxios.prototype.request = (url) => Promise.resolve(url).then((it) => { throw new Error("boom " + it); });\n${begin}Axios;\n`,
      },
    });
    const { source } = await trial.runtime.deploy({ ...input, props: {} });
    const { error } = await trial.runtime.invoke(source.id);
    const frames = error?.stack.split("\n").filter((line) => line.startsWith("    at ")) ?? [];
    expect(frames.map((line) => /\(?([^ ()]+):\d+\)?$/.exec(line)?.[1])).toContain(location);
    expect(frames[0]).toContain("axios/lib/core/Axios.js:2");
  });

  it("with its column, on the first line too", async () => {
    const text = `module.exports = { name: "T", version: "1", run() { const f = () => { throw new Error("boom") }; f() } };`;
    const { source } = await trial.runtime.deploy({ code: text });
    const { error } = await trial.runtime.invoke(source.id);
    const [frame] = error?.stack.split("\n").slice(1) ?? [];
    expect(frame).toMatch(new RegExp(`component\\.js:1:${text.indexOf(`Error("boom")`) + 1}\\)$`));
  });

  it("in logged errors", async () => {
    const text = `const note = (error) => {\n  console.error(error);\n};\nexport default { name: "T", version: "1", run() {\n  note(new Error("boom"));\n} };\n`;
    const { source } = await trial.runtime.deploy({ code: text });
    const { logs } = await trial.runtime.invoke(source.id);
    expect(firstFrame(logs[0]?.msg ?? "")).toBe("component.js:5");
    expect(JSON.stringify(logs)).not.toMatch(/bundle\.js|prelude/);
  });
});
