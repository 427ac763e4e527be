import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";

import type { ImportedComponent } from "../component/given.ts";
import { componentText, failureOf } from "../source.cases.ts";
import { conformance, source, workflow } from "../vitest.ts";
import acme from "./acme-app.cases.ts";
import orders, { refunds } from "./orders.cases.ts";
import plain from "./plain.cases.ts";

const given = {
  accounts: { acme: { token: "t" } },
  routes: { "GET https://api.acme.test/boards/:board/orders": [{ id: "a", total: 3 }] },
};

describe("a vitest with other internals", () => {
  const globals = globalThis as { __vitest_mocker__?: unknown };

  test("is reported in one line, with its version and what to write", () => {
    const mocker = globals.__vitest_mocker__;
    onTestFinished(() => void (globals.__vitest_mocker__ = mocker));
    globals.__vitest_mocker__ = {};
    expect(() => source({ ...orders })).toThrow(
      /^Imported components and mocks are looked up in the internals of vitest 5, which vitest 5\.\d+\.\d+ does not have: use vitest 5, or name the component's file: /,
    );
    // Code that is given directly needs no look-up.
    expect(() => source({ code: componentText("run() {}") })).not.toThrow();
  });
});

describe("an imported component", () => {
  test("runs from its file, with its app, and types props and events", async () => {
    const trial = source(orders, { ...given, props: { board: "b1" } });
    await trial.deploy();
    const [run] = await trial.tick();
    const [first] = trial.emits;
    const total: number | undefined = first?.event.total;
    // A Date arrives as text.
    const seen: string | undefined = run?.emits[0]?.event.seen;
    expect([total, seen]).toEqual([3, "2026-01-01T00:01:00.000Z"]);
    expect(trial).toHaveRequested("GET /boards/b1/orders", { headers: { authorization: "Bearer t" } });
  });

  test("has frames of its file and of the test in the stack when it throws", async () => {
    const trial = source(orders, { ...given, props: { board: "broken" } });
    await trial.deploy();
    const { message, stack = "" } = await failureOf(trial.tick());
    expect(message).toBe("no such board");
    expect(stack).toMatch(/orders\.cases\.ts:27:\d+[^]*imported\.test\.ts\S*:\d+/);
  });

  test("passes the conformance checks", async () => {
    const results = await conformance(orders, { ...given, props: { board: "b1" } });
    expect(results.filter(({ status }) => status === "failed")).toEqual([]);
  });

  test("takes props of its declared types", () => {
    expect(() =>
      source(orders, { props: { board: "b1", most: 3, states: ["a"], timer: { cron: "0 9 * * *" } } }),
    ).not.toThrow();
    // @ts-expect-error board is missing
    source(orders, { props: { most: 3 } });
    // @ts-expect-error most is a number
    source(orders, { props: { board: "b1", most: "3" } });
    // @ts-expect-error there is no such prop
    source(orders, { props: { board: "b1", bord: "b2" } });
    // @ts-expect-error there is no such prop for a file of this type
    source<typeof orders>(new URL("orders.cases.ts", import.meta.url), { props: { board: "b1", bord: "b2" } });
    const trial = source(orders, { props: { board: "b1" } });
    // @ts-expect-error its events have no such field
    expect(trial.emits[0]?.event.amount).toBeUndefined();
  });
});

test("an imported plain object runs from its file, with the types that it declares", async () => {
  const trial = source(plain, { props: { board: "b1" } });
  await trial.deploy();
  await trial.tick();
  const id: number | undefined = trial.emits[0]?.event.id;
  expect(id).toBe(2);
  expect(() => source(plain, { props: { board: "b1", most: 3, timer: { intervalSeconds: 5 } } })).not.toThrow();
  // @ts-expect-error there is no such prop
  source(plain, { props: { board: "b1", bord: "b2" } });
  // @ts-expect-error its events have no such field
  expect(trial.emits[0]?.event.total).toBeUndefined();
});

describe("imported files", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "x-imported-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): string {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }
  const load = async (file: string) => (await import(file)) as { readonly default: ImportedComponent };

  test("may be JavaScript with an app in another file, CommonJS, and re-exports", async () => {
    write("acme.app.mjs", `export default { type: "app", app: "acme", methods: { word: () => "from the app" } };`);
    const feed = write(
      "feed.mjs",
      `import acme from "./acme.app.mjs";\n${componentText(`props: { acme }, run() { this.$emit(this.acme.word()); }`)}`,
    );
    const old = write(
      "old.cjs",
      `const acme = { type: "app", app: "acme" };
      module.exports = { name: "Old", version: "1", props: { acme }, run() { this.$emit("from cjs"); } };`,
    );
    const index = write(
      "index.mjs",
      `export { default } from "./feed.mjs";\nexport { default as feed } from "./feed.mjs";`,
    );
    const emitted: unknown[] = [];
    for (const file of [feed, old, index]) {
      const trial = source((await load(file)).default, { accounts: { acme: {} } });
      await trial.deploy();
      emitted.push((await trial.run()).emits[0]?.event);
    }
    expect(emitted).toEqual(["from the app", "from cjs", "from the app"]);
  });

  test("may be workflows", async () => {
    const file = write(
      "flow.mjs",
      `export default { name: "Flow", steps: [{ name: "one", run: ({ $ }) => $.send.emit(1) }] };`,
    );
    const flow = workflow((await load(file)).default);
    await flow.register();
    await flow.run();
    expect(flow).toHaveEmitted([1]);
  });

  test("replace the code in an update", async () => {
    const next = write("next.mjs", componentText(`run() { this.$emit("next"); }`));
    const trial = source({ code: componentText("run() {}") });
    await trial.deploy();
    await trial.update({ component: (await load(next)).default });
    await trial.run();
    expect(trial).toHaveEmitted(["next"]);
  });

  test("are refused when they, or a file that they import, are mocked", async () => {
    const file = write(
      "real.mjs",
      `import { word } from "./word.mjs";\n${componentText("run() { this.$emit(word); }")}`,
    );
    const word = write("word.mjs", `export const word = "real";`);
    onTestFinished(() => {
      vi.doUnmock(file);
      vi.doUnmock(word);
    });
    vi.doMock(file, () => ({ default: { name: "Fake", version: "1", run() {} } }));
    const fake = (await load(file)).default;
    expect((await failureOf(() => source(fake))).message).toContain(
      `This object is the mock that vi.mock made of ${file}.`,
    );
    vi.doMock(file);
    const automatic = (await load(file)).default;
    expect((await failureOf(() => source(automatic))).message).toContain(`vi.mock made of ${file}.`);
    vi.doUnmock(file);
    vi.doMock(word, () => ({ word: "mocked" }));
    const mocked = (await load(file)).default;
    expect((await failureOf(() => source(mocked))).message).toContain(
      `${file} imports ${word}, which this test mocks.`,
    );
    const trial = source(file);
    await trial.deploy();
    await trial.run();
    expect(trial).toHaveEmitted(["real"]);
  });
});

test("apps and modules are type errors", async () => {
  // @ts-expect-error an app is no component
  expect((await failureOf(source(acme).deploy())).message).toContain("acme-app.cases.ts");
  // @ts-expect-error neither is a module
  expect((await failureOf(async () => source(await import("./orders.cases.ts")))).message).toContain(
    "No imported file",
  );
});

describe("an object that is not the default export of a file", () => {
  const here = 'source(new URL("./feed.mjs", import.meta.url))';

  test("is refused, with the frame of the test", async () => {
    const { message, stack = "" } = await failureOf(() => source({ ...orders }));
    expect(message).toBe(
      `No imported file has this object as its default export. The sandbox runs the file, not the object: give the component as it was imported, not a copy of it, or name its file: ${here}.`,
    );
    expect(stack.split("\n")[1]).toContain("imported.test.ts");
    expect((await failureOf(conformance({ name: "here", run() {} }))).message).toContain("No imported file has");
  });

  test("is refused by name when it is another export", async () => {
    const file = fileURLToPath(new URL("orders.cases.ts", import.meta.url));
    expect((await failureOf(() => source(refunds))).message).toBe(
      `This object is the export "refunds" of ${file}. The harness runs the default export of a file: move the component to a file of its own.`,
    );
  });
});
