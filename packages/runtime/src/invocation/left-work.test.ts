import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import type { EngineOptions } from "../api/options.ts";
import { createEngine } from "../engine.ts";
import { makeFolder, removeFolders } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";

afterAll(removeFolders);

/** A component in files; the mark is before the name of the call that is not awaited. */
interface Leaving {
  readonly what: string;
  readonly run?: string;
  readonly methods?: string;
  readonly hooks?: string;
  readonly head?: string;
  readonly typescript?: boolean;
  /** The call and the pending work in the warning; absent: no warning. */
  readonly left?: readonly [call: string, what: string];
}

const mark = "/*HERE*/";
const url = "http://api.example/slow";
const unanswered = `GET ${url} had no answer`;
const timer = (ms: number): string => `a timer of ${ms} ms had not fired`;
const ticks = "for (let n = 0; n < 10; n++) await null;";

const left: readonly Leaving[] = [
  {
    what: "a method that awaits a request",
    run: `this.${mark}later();`,
    methods: `async later() { const answer = await fetch("${url}"); this.$emit(answer); }`,
    left: ["this.later()", unanswered],
  },
  {
    what: "a method that has awaited before",
    run: `this.${mark}later(1);`,
    methods: `async later() { ${ticks} await fetch("${url}"); }`,
    left: ["this.later(…)", unanswered],
  },
  {
    what: "a method behind one that awaits it",
    run: `await null;\nthis.${mark}outer();`,
    methods: `async outer() { await this.later(); }, async later() { ${ticks} await sleep(50); }`,
    left: ["this.outer()", timer(50)],
  },
  {
    what: "a method in TypeScript",
    typescript: true,
    run: `this.${mark}outer();`,
    methods: `async outer(): Promise<void> { await this.later(); }, async later(): Promise<Array<string>> { ${ticks} await sleep(50); return []; }`,
    left: ["this.outer()", timer(50)],
  },
  {
    what: "a function of its own",
    run: `const work = async () => { ${ticks} await sleep(20); };\n${mark}work();`,
    left: ["work()", timer(20)],
  },
  { what: "fetch", run: `${mark}fetch("${url}");`, left: ["fetch(…)", unanswered] },
  {
    what: "fetch with then",
    run: `${mark}fetch("${url}").then((answer) => answer.json()).then((data) => this.$emit(data));`,
    left: ["fetch(…)", unanswered],
  },
  {
    what: "fetch, after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} await fetch("${url}"); }`,
    left: ["this.later()", unanswered],
  },
  {
    what: "http.get",
    head: `import http from "node:http";`,
    run: `http.${mark}get("${url}", (answer) => this.$emit({}));`,
    left: ["http.get(…)", unanswered],
  },
  {
    what: "forEach with an async function",
    run: `[1].${mark}forEach(async (item) => { await sleep(20); this.$emit({ item }); });`,
    left: ["[1].forEach(…)", timer(20)],
  },
  {
    what: "forEach with one that has awaited before",
    run: `[1].${mark}forEach(async (item) => { ${ticks} await sleep(20); });`,
    left: ["[1].forEach(…)", timer(20)],
  },
  { what: "setTimeout", run: `${mark}setTimeout(() => this.$emit({}), 1_000);`, left: ["setTimeout(…)", timer(1_000)] },
  {
    what: "setInterval",
    run: `const timer = ${mark}setInterval(() => this.$emit({}), 1_000);`,
    left: ["setInterval(…)", "an interval of 1000 ms was still set"],
  },
  {
    what: "an emit after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} this.$emit({}); }`,
    left: ["this.later()", "$emit was called after the end"],
  },
  {
    what: "a db write after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} this.db.set("seen", 1); }`,
    left: ["this.later()", `the db key "seen" was written after the end`],
  },
  {
    what: "a package's function",
    head: `import { retry } from "retrying";`,
    run: `${mark}retry(() => {});`,
    left: ["retry(…)", timer(100)],
  },
  {
    what: "a package's function that has awaited before",
    head: `import client from "client";`,
    run: `client.${mark}get("${url}");`,
    left: ["client.get(…)", unanswered],
  },
];

const harmless: readonly Leaving[] = [
  {
    what: "calls that are awaited",
    run: `await this.later(); await Promise.all([1, 2].map((n) => this.later(n)));`,
    methods: `async later() { await sleep(5); this.$emit({}); this.db.set("a", 1); }`,
  },
  { what: "an emit and a db write that are not awaited", run: `this.$emit({}); this.db.set("a", 1);` },
  { what: "an emit of a method that needs no time", run: `[1, 2].forEach(async (n) => { this.$emit({ n }); });` },
  {
    what: "a time limit in a race",
    run: `await Promise.race([sleep(1), new Promise((_, reject) => setTimeout(reject, 9_000))]);`,
  },
  { what: "a time limit of a function in a race", run: `await Promise.race([sleep(1), sleep(9_000)]);` },
  {
    what: "a time limit that is kept and races",
    run: `const late = sleep(9_000);\nawait Promise.race([sleep(1), late]);`,
  },
  {
    what: "a timer that holds no process",
    run: `setTimeout(() => {}, 9_000).unref(); setInterval(() => {}, 9_000).unref();`,
  },
  {
    what: "a timer that is cleared",
    run: `clearTimeout(setTimeout(() => {}, 9_000)); clearInterval(setInterval(() => {}, 9_000));`,
  },
  {
    what: "a time limit of a signal that was not needed",
    run: `await fetch("http://api.example/fast", { signal: AbortSignal.timeout(9_000) });`,
  },
  {
    what: "a time limit of http that was not needed",
    head: `import http from "node:http";`,
    run: `await new Promise((done) => http.get("http://api.example/fast", { timeout: 9_000 }, (answer) => answer.resume().on("end", done)));`,
  },
  {
    what: "a package's timer for what it keeps",
    head: `import { Pool } from "pooled";`,
    run: `const pool = new Pool(); await pool.get();`,
  },
];

const packages = {
  "node_modules/retrying/package.json": `{ "name": "retrying", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/retrying/index.js": `exports.retry = async (work) => { await new Promise((done) => setTimeout(done, 100)); return work(); };`,
  "node_modules/client/package.json": `{ "name": "client", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/client/index.js": `exports.get = async (url) => { for (let n = 0; n < 5; n++) await null; return fetch(url); };`,
  "node_modules/pooled/package.json": `{ "name": "pooled", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/pooled/index.js": `exports.Pool = class { constructor() { this.idle = setTimeout(() => {}, 30000); } async get() { await null; setTimeout(() => {}, 30000); } };`,
};

function textOf({ run = "", methods = "", hooks = "", head = "" }: Leaving): string {
  return `${head}
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
export default {
  name: "Left", version: "1", props: { db: "$.service.db" }, methods: { ${methods} }, hooks: { ${hooks} },
  async run() {
${run}
  },
};
`;
}

function write(leaving: Leaving): { file: string; location: string } {
  const text = textOf(leaving);
  const name = leaving.typescript ? "main.ts" : "main.mjs";
  const folder = makeFolder();
  const before = text.slice(0, text.indexOf(mark)).split("\n");
  for (const [path, content] of Object.entries({ ...packages, [name]: text.replace(mark, "") })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { file: join(folder, name), location: `${name}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}` };
}

const engines: readonly (readonly [string, EngineOptions])[] = [
  ["with threads", { workers: 1 }],
  ["without threads", { workers: 0 }],
  ["in Node", { sandbox: "node" }],
];

describe.each(engines)("work that is not awaited, %s", (_engine, options) => {
  const unanswering = Promise.withResolvers<never>();
  async function open(): ReturnType<typeof createRuntime> {
    const answer = { status: 200, statusText: "OK", headers: [], body: new Uint8Array(0) };
    return createRuntime({
      engine: await createEngine(options),
      network: {
        exchange: ({ url: asked }) => (asked === url ? unanswering.promise : Promise.resolve(answer)),
      },
    });
  }
  const opening = open();
  afterAll(async () => {
    unanswering.reject(new Error("the tests are over"));
    await (await opening).close();
  });

  async function warningsOf(leaving: Leaving): Promise<{ warnings: string[]; location: string }> {
    const { file, location } = write(leaving);
    const runtime = await opening;
    const { source } = await runtime.deploy({ file });
    const { status, logs, error } = await runtime.invoke(source.id);
    expect([status, error]).toEqual(["ok", null]);
    return { warnings: logs.map(({ k, msg = "" }) => `${k} ${msg}`), location };
  }

  it.each(left.map((each) => [each.what, each] as const))(
    "S37 is reported with the author's line: %s",
    async (_what, each) => {
      const { warnings, location } = await warningsOf(each);
      const [call, what] = each.left ?? [];
      expect(warnings).toEqual([
        `console.warn run ended while work was not awaited; it ended with it: ${call} at ${location}: ${what}`,
      ]);
    },
  );

  it.each(harmless.map((each) => [each.what, each] as const))("S37 reports nothing for %s", async (_what, each) => {
    expect((await warningsOf(each)).warnings).toEqual([]);
  });

  it("S37 several calls are one warning", async () => {
    const run = `this.later(1);\nthis.later(2);\nfor (let n = 0; n < 100; n++) this.later(n);`;
    const { warnings } = await warningsOf({
      what: "",
      run,
      methods: `async later() { await sleep(1); await sleep(1); }`,
    });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.split("\n")).toMatchObject([
      "console.warn run ended while work was not awaited; it ended with it:",
      expect.stringMatching(/^- this\.later\(…\) at main\.mjs:6:6: a timer of 1 ms had not fired$/),
      expect.stringMatching(/^- this\.later\(…\) at main\.mjs:7:6: /),
      expect.stringMatching(/^- this\.later\(…\) at main\.mjs:8:36: /),
      expect.stringMatching(/^and 82 more$|^- and 82 more$/),
    ]);
  });

  it("S37 reports work of hooks and options, too", async () => {
    const hook = `this.${mark}later();`;
    const { file, location } = write({
      what: "",
      hooks: `async deploy() { ${hook} }`,
      methods: `async later() { await sleep(50); }`,
    });
    const runtime = await opening;
    const { source } = await runtime.deploy({ file });
    const records = (await runtime.storedEvents(source.id, "$logs", { limit: 10 })).items.map(
      ({ payload }) => JSON.parse(payload) as { msg: string },
    );
    expect(records.map(({ msg }) => msg)).toEqual([
      `deploy ended while work was not awaited; it ended with it: this.later() at ${location}: ${timer(50)}`,
    ]);

    const code = `export default { name: "O", version: "1", props: { list: { type: "string", async options() {\nsetTimeout(() => {}, 50); return ["a"]; } } }, run() {} };`;
    const { id } = await runtime.saveComponent({ code });
    const { observations } = await runtime.configure({ id, propName: "list" });
    expect(observations.map(({ msg }) => msg)).toEqual([
      `options ended while work was not awaited; it ended with it: setTimeout(…) at component.js:2:1: ${timer(50)}`,
    ]);
  });

  it("S37 reports left work only for successful runs", async () => {
    const code = `export default { name: "F", version: "1", async run() { setTimeout(() => {}, 1_000); throw new Error("boom"); } };`;
    const runtime = await opening;
    const { source } = await runtime.deploy({ code });
    const { logs } = await runtime.invoke(source.id);
    expect(logs.map(({ k }) => k)).toEqual(["err"]);
  });

  it("S37 a reused machine reports only the work of each run", async () => {
    const code = `let runs = 0;\nexport default { name: "W", version: "1", async run() {\nif (runs++ === 0) setTimeout(() => {}, 1_000);\n} };`;
    const runtime = await opening;
    const { source } = await runtime.deploy({ code, settings: { warm: true } });
    const first = await runtime.invoke(source.id);
    const second = await runtime.invoke(source.id);
    expect([first.logs.length, second.logs.length]).toEqual([1, 0]);
  });
});
