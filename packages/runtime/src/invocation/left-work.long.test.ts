import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import type { EngineOptions } from "../api/options.ts";
import { createEngine } from "../engine.ts";
import { makeFolder, removeFolders } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { anonymous, harmless, type Leaving, left, mark, packages, timer, url } from "./left-work.cases.ts";

afterAll(removeFolders);

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

  it.each([...left, ...anonymous].map((each) => [each.what, each] as const))(
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
