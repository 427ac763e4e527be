/**
 * Marks the location that an error must show; removed from the files before they are used. Without separate marks, coverage
 * shows the same location, and Node's engine the same or that of the preceding `new`.
 */
export const mark = "/*HERE*/";
export const nodeMark = "/*NODE*/";
export const coverageMark = "/*COVERAGE*/";

/** Which operation makes the component throw. */
export type Way = "run" | "deploy" | "load" | "options" | "additionalProps" | "workflow";

/** Files of one component that throws; the first is the entry. */
export interface Throwing {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  /** Default: `run` throws. */
  readonly way?: Way;
}

/** A component whose members are these lines. */
const withMembers = (lines: string): string => `export default {
  name: "T",
  version: "1",
${lines}
};
`;
const withRun = (lines: string): string => withMembers(`  async run(event) {\n${lines}\n  },`);

const inRun: readonly Throwing[] = [
  {
    what: "run, on the first line of a file",
    files: {
      "main.mjs": `export default { name: "T", version: "1", run() { throw new ${mark}Error("boom"); } };\n`,
    },
  },
  {
    what: "run, in TypeScript under types",
    files: {
      "main.ts": `interface Item {\n  readonly id: number;\n}\ntype Items = readonly Item[];\n\n${withMembers(
        `  async run(this: { $emit(item: Item): void }, event: { items?: Items }): Promise<void> {
    const first = (event.items ?? [])[0] as Item | undefined;
    if (first?.id !== 1) throw new ${mark}Error(\`boom \${first?.id satisfies number | undefined}\`);
  },`,
      )}`,
    },
  },
  {
    what: "run, in CommonJS",
    files: {
      "main.cjs": `"use strict";\nmodule.exports = {\n  name: "T",\n  version: "1",\n  run() {\n    throw new ${mark}Error("boom");\n  },\n};\n`,
    },
  },
  {
    what: "after an await",
    files: { "main.mjs": withRun(`    await null;\n    throw new ${mark}Error("boom");`) },
  },
  {
    what: "after an await of a timer, in TypeScript",
    files: {
      "main.ts": withMembers(
        `  async run(): Promise<void> {\n    const ms: number = 1;\n    await new Promise<void>((done) => setTimeout(done, ms));\n    throw new ${mark}Error("boom");\n  },`,
      ),
    },
  },
  {
    what: "a method",
    files: {
      "main.mjs": withMembers(
        `  methods: {\n    go() {\n      throw new ${mark}Error("boom");\n    },\n  },\n  run() {\n    this.go();\n  },`,
      ),
    },
  },
  {
    what: "an async method that another one awaits",
    files: {
      "main.mjs": withMembers(
        `  methods: {\n    async inner() {\n      await null;\n      throw new ${mark}Error("boom");\n    },\n    async outer() {\n      return await this.inner();\n    },\n  },\n  async run() {\n    await this.outer();\n  },`,
      ),
    },
  },
  {
    what: "a bound method in forEach",
    files: {
      "main.mjs": withMembers(
        `  methods: {\n    tell(item) {\n      if (item === 2) throw new ${mark}Error("boom");\n    },\n  },\n  run() {\n    [1, 2].forEach(this.tell);\n  },`,
      ),
    },
  },
  {
    what: "an app's method",
    files: {
      "main.mjs": `import acme from "../acme.app.mjs";\n\n${withMembers(`  props: { acme: { ...acme, optional: true } },\n  async run() {\n    await this.acme.list();\n  },`)}`,
      "../acme.app.mjs": `export default {\n  type: "app",\n  app: "acme",\n  methods: {\n    async list() {\n      throw new ${mark}Error("boom");\n    },\n  },\n};\n`,
    },
  },
  {
    what: "an app's method, in TypeScript",
    files: {
      "main.ts": `import acme from "../acme-ts.app.ts";\n\n${withMembers(`  props: { acme: { ...acme, optional: true } },\n  async run(this: any): Promise<void> {\n    await this.acme.list();\n  },`)}`,
      "../acme-ts.app.ts": `type Row = { id: string };\n\nexport default {\n  type: "app",\n  app: "acme",\n  methods: {\n    async list(): Promise<Row[]> {\n      await Promise.resolve();\n      throw new ${mark}Error("boom");\n    },\n  },\n};\n`,
    },
  },
  {
    what: "a function of a common file",
    files: {
      "main.mjs": `import { parse } from "../common/parse.mjs";\n\n${withRun(`    parse("x");`)}`,
      "../common/parse.mjs": `// A comment.\n// Another.\nexport function parse(text) {\n  if (text) {\n    throw new ${mark}Error("boom");\n  }\n}\n`,
    },
  },
  {
    what: "a base component that is spread into it",
    files: {
      "main.mjs": `import base from "../common/base.mjs";\n\nexport default {\n  ...base,\n  name: "T",\n  version: "1",\n};\n`,
      "../common/base.mjs": `export default {\n  methods: {\n    body() {\n      return { total: 1 };\n    },\n  },\n  run() {\n    const { total } = this.body();\n    throw new ${mark}Error("boom " + total);\n  },\n};\n`,
    },
  },
  {
    what: "a folder's index, imported without an extension",
    files: {
      "main.ts": `import { check } from "./rules";\n\n${withMembers(`  run(): void {\n    check(3);\n  },`)}`,
      "rules/index.ts": `export const check = (n: number): void => {\n  if (n > 2) throw new ${mark}Error("boom");\n};\n`,
    },
  },
  {
    what: "a getter",
    files: {
      "main.mjs": withRun(
        `    const item = {\n      get id() {\n        throw new ${mark}Error("boom");\n      },\n    };\n    return item.id;`,
      ),
    },
  },
  {
    what: "a callback of a timer",
    files: {
      "main.mjs": withRun(
        `    setTimeout(() => {\n      throw new ${mark}Error("boom");\n    }, 1);\n    await new Promise((done) => setTimeout(done, 50));`,
      ),
    },
  },
  {
    what: "a callback of map, in an arrow function without braces",
    files: {
      "main.mjs": `const fail = (n) => {\n  throw new ${mark}Error("boom " + n);\n};\n${withRun(`    return [1].map((n) => fail(n));`)}`,
    },
  },
  {
    what: "a promise that is awaited later",
    files: {
      "main.mjs": `async function work() {\n  await null;\n  throw new ${mark}Error("boom");\n}\n\n${withRun(`    const working = work();\n    await Promise.allSettled([working]);\n    await working;`)}`,
    },
  },
  {
    what: "an error with a cause",
    files: {
      "main.mjs": withRun(
        `    try {\n      JSON.parse("{");\n    } catch (cause) {\n      throw new ${mark}Error("boom", { cause });\n    }`,
      ),
    },
  },
  {
    what: "an error of a class of its own",
    files: {
      "main.ts": `import { Boom } from "./boom.ts";\n\n${withMembers(`  run(): void {\n    throw new ${mark}Boom("boom", 3);\n  },`)}`,
      "boom.ts": `export class Boom extends Error {\n  override readonly name = "Boom";\n  readonly count: number;\n  constructor(message: string, count: number) {\n    super(message);\n    this.count = count;\n  }\n}\n`,
    },
  },
  {
    what: "deep recursion",
    files: {
      "main.mjs": `const dive = (n) =>${coverageMark} ${nodeMark}1 + ${mark}dive(n + 1);\n${withRun(`    dive(0);`)}`,
    },
  },
  {
    what: "an async generator",
    files: {
      "main.mjs": `async function* pages() {\n  yield 1;\n  await null;\n  throw new ${mark}Error("boom");\n}\n\n${withRun(`    for await (const page of pages()) this.$emit(page);`)}`,
    },
  },
  {
    what: "a generator",
    files: {
      "main.mjs": `function* pages() {\n  yield 1;\n  throw new ${mark}Error("boom");\n}\n\n${withRun(`    return [...pages()];`)}`,
    },
  },
  {
    what: "a static block's private method, in TypeScript with an enum",
    files: {
      "main.ts": `enum Level {\n  Low,\n  High,\n}\n\nclass Gauge {\n  readonly #level: Level = Level.High;\n  constructor(private readonly label: string) {}\n  read(): never {\n    throw new ${mark}Error(\`boom \${this.label} \${this.#level}\`);\n  }\n}\n\n${withMembers(`  run(): void {\n    new Gauge("g").read();\n  },`)}`,
    },
  },
  {
    what: "the engine, for a member of undefined",
    files: { "main.mjs": withRun(`    const { missing } = event;\n    return ${mark}missing.${nodeMark}field;`) },
  },
  {
    what: "the engine, for a function that is none",
    files: { "main.mjs": withRun(`    const list = { of: 1 };\n    return list.${mark}of();`) },
  },
  {
    what: "JSON.parse",
    files: { "main.mjs": withRun(`    const text = "{";\n    return JSON.${mark}parse(text);`) },
  },
  {
    what: "the runtime, for an emit that it refuses",
    files: {
      "main.mjs": withMembers(`  dedupe: "unique",\n  run() {\n    this.${mark}$emit({ a: 1 });\n  },`),
    },
  },
  {
    what: "a package",
    files: {
      "main.mjs": `import { fail } from "thrower";\n\n${withRun(`    fail("boom");`)}`,
      "../node_modules/thrower/package.json": `{ "name": "thrower", "version": "1.0.0", "main": "index.js" }\n`,
      "../node_modules/thrower/index.js": `// A comment.\nexports.fail = (text) => {\n  throw new ${mark}Error(text);\n};\n`,
    },
  },
  {
    what: "a callback that a package calls",
    files: {
      "main.mjs": `import each from "looper";\n\n${withRun(`    each([1], (item) => {\n      throw new ${mark}Error("boom " + item);\n    });`)}`,
      "../node_modules/looper/package.json": `{ "name": "looper", "version": "1.0.0", "type": "module", "exports": "./each.js" }\n`,
      "../node_modules/looper/each.js": `export default function each(list, tell) {\n  for (const item of list) tell(item);\n}\n`,
    },
  },
  {
    what: "after emoji on the same line",
    files: {
      "main.mjs": withRun(`    const faces = ["😀", "👩‍🚀", "né"]; if (faces) throw new ${mark}Error("boom");`),
    },
  },
  {
    what: "after emoji on the first line of a file",
    files: {
      "main.mjs": `export default { name: "😀😀😀😀", version: "1", run() { throw new ${mark}Error("boom"); } };\n`,
    },
  },
  {
    what: "a package that holds emoji, among others",
    files: {
      "main.mjs": `import { faces } from "faces";\nimport { fail } from "thrower";\n\n${withRun(`    fail(faces);`)}`,
      "../node_modules/faces/package.json": `{ "name": "faces", "version": "1.0.0", "main": "index.js" }\n`,
      "../node_modules/faces/index.js": `exports.faces = () => ${JSON.stringify(Array.from({ length: 100 }, () => "😀"))};\n`,
      "../node_modules/thrower/package.json": `{ "name": "thrower", "version": "1.0.0", "main": "index.js" }\n`,
      "../node_modules/thrower/index.js": `// A comment.\nexports.fail = (text) => {\n  throw new ${mark}Error(text);\n};\n`,
    },
  },
  { what: "a text", files: { "main.mjs": withRun(`    throw "boom";`) } },
];

const elsewhere: readonly Throwing[] = [
  {
    what: "the deploy hook",
    way: "deploy",
    files: {
      "main.mjs": `import { fail } from "./fail.mjs";\n\n${withMembers(`  hooks: {\n    async deploy() {\n      await fail();\n    },\n  },\n  run() {},`)}`,
      "fail.mjs": `\nexport async function fail() {\n  throw new ${mark}Error("boom");\n}\n`,
    },
  },
  {
    what: "the activate hook, in TypeScript",
    way: "deploy",
    files: {
      "main.ts": withMembers(
        `  hooks: {\n    async activate(this: object): Promise<void> {\n      const n: number = await Promise.resolve(1);\n      if (n === 1) throw new ${mark}Error("boom");\n    },\n  },\n  run() {},`,
      ),
    },
  },
  {
    what: "a module's own code in a file beside",
    way: "load",
    files: {
      "main.mjs": `import "./side.mjs";\n\n${withRun("")}`,
      "side.mjs": `const n = 1;\nif (n) throw new ${mark}Error("boom");\n`,
    },
  },
  {
    what: "the options of a prop",
    way: "options",
    files: {
      "main.mjs": withMembers(
        `  props: {\n    board: {\n      type: "string",\n      async options({ page }) {\n        await null;\n        throw new ${mark}Error("boom " + page);\n      },\n    },\n  },\n  run() {},`,
      ),
    },
  },
  {
    what: "additionalProps",
    way: "additionalProps",
    files: {
      "main.mjs": withMembers(
        `  props: { board: { type: "string", reloadProps: true } },\n  async additionalProps() {\n    throw new ${mark}Error("boom");\n  },\n  run() {},`,
      ),
    },
  },
  {
    what: "a step of a workflow",
    way: "workflow",
    files: {
      "main.mjs": `export default {\n  name: "T",\n  trigger: { type: "http" },\n  steps: [\n    {\n      name: "first",\n      run() {\n        throw new ${mark}Error("boom");\n      },\n    },\n  ],\n};\n`,
    },
  },
];

/** Every kind of code of an author that throws. */
export const throwing: readonly Throwing[] = [...inRun, ...elsewhere];
