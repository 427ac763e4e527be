import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "./source.cases.ts";
import { reply, source, type SourceUnderTest } from "./vitest.ts";

const feed = (options: object = {}) => source({ code: feedText }, { ...feedOptions, ...options });

describe("a source under test", () => {
  test("takes up its changed file on update()", async () => {
    const folder = mkdtempSync(join(tmpdir(), "x-update-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "word.mjs");
    const write = (word: string): void =>
      writeFileSync(file, componentText(`hooks: { activate() {} }, run() { this.$emit("${word}"); }`));
    write("old");
    const trial = source(file);
    await trial.deploy();
    await trial.run();
    write("new");
    await trial.update();
    await trial.run();
    expect(trial).toHaveEmitted(["old", "new"]);
    expect(trial).toHaveRunHooks(["activate", "activate"]);
  });

  test("S39 calls its own endpoint without a route, and the request runs it", async () => {
    const trial = source({
      code: componentText(`props: { http: "$.interface.http" },
        async run(event) {
          if (event.method) return this.$emit(event.body);
          const { status } = await fetch(this.http.endpoint, { method: "POST", headers: { "content-type": "application/json" }, body: '{"page":2}' });
          this.$emit(status);
        }`),
    });
    await trial.deploy();
    await trial.run({});
    expect(trial).toHaveEmitted([200, { page: 2 }]);
  });

  test("causes an unhandled rejection when a failed step is not awaited", async () => {
    const trial = source({ code: componentText(`run() { throw new Error("not awaited"); }`) });
    await trial.deploy();
    const seen = new Promise((resolve) => {
      const listeners = process.listeners("unhandledRejection");
      process.removeAllListeners("unhandledRejection");
      process.once("unhandledRejection", (reason) => {
        for (const listener of listeners) process.on("unhandledRejection", listener);
        resolve(reason);
      });
    });
    void trial.run();
    expect(await seen).toMatchObject({ message: "not awaited" });
  });

  test("runs its hooks on deploy and delete, and ticks with its clock", async () => {
    const trial = feed();
    await trial.deploy();
    expect(trial.hooks).toEqual(["deploy", "activate"]);
    const runs = await trial.tick("3m");
    expect(runs.map(({ at, source }) => [at, source])).toEqual([
      [Date.UTC(2026, 0, 1, 0, 1), "timer"],
      [Date.UTC(2026, 0, 1, 0, 2), "timer"],
      [Date.UTC(2026, 0, 1, 0, 3), "timer"],
    ]);
    expect(trial.db).toEqual({ polls: 3 });
    await trial.delete();
    expect(await trial.tick("1h")).toEqual([]);
    expect(trial.hooks).toEqual(["deploy", "activate", "deactivate"]);
    expect(trial.db).toEqual({});
  });

  test("records emitted events with the time of their run", async () => {
    const trial = feed({ now: "2030-05-01T12:00:00Z" });
    await trial.deploy();
    await trial.tick();
    const at = Date.UTC(2030, 4, 1, 12, 1);
    expect(trial.emits).toEqual([
      { event: { id: 1 }, id: "1", summary: "Item 1", channel: "", entry: "run", at, eventId: `${at}-0` },
      { event: { id: 2 }, id: "2", summary: "Item 2", channel: "", entry: "run", at, eventId: `${at}-1` },
    ]);
    expect(trial.now).toBe(at);
  });

  test("shows the component the time of its clock", async () => {
    const trial = source({
      code: componentText(`props: { timer: "$.interface.timer" }, async run() {
        const before = new Date();
        await new Promise((done) => setTimeout(done, 5));
        this.$emit({ before, after: Date.now() });
      }`),
    });
    await trial.deploy();
    await trial.tick("2h");
    expect(trial.emits.map(({ event }) => event)).toEqual([
      { before: "2026-01-01T01:00:00.000Z", after: Date.UTC(2026, 0, 1, 1) + 5 },
      { before: "2026-01-01T02:00:00.000Z", after: Date.UTC(2026, 0, 1, 2) + 5 },
    ]);
  });

  test("skips sleeps of the component, and counts them against its time limit", async () => {
    const sleeper = (ms: number): string =>
      componentText(`async run() {
        const began = Date.now();
        const later = (text, delay) => setTimeout(() => this.$emit([text, Date.now() - began]), delay);
        later("second", 20_000);
        later("first", 10_000);
        const beat = setInterval(() => this.$emit(["beat", Date.now() - began]), 12_000);
        await new Promise((done) => setTimeout(done, ${ms}));
        clearInterval(beat);
      }`);
    const trial = source({ code: sleeper(30_000) });
    await trial.deploy();
    await trial.run();
    expect(trial.emits.map(({ event }) => event)).toEqual([
      ["first", 10_000],
      ["beat", 12_000],
      ["second", 20_000],
      ["beat", 24_000],
    ]);
    const late = source({ code: sleeper(300_001) });
    await late.deploy();
    await expect(late.run()).rejects.toThrow("run ran longer than 300000 ms and was stopped.");
  });

  test("answers a request before its timeout", async () => {
    const trial = source(
      {
        code: componentText(`async run() {
          const response = await fetch("https://slow.test/", { signal: AbortSignal.timeout(20_000) });
          this.$emit(await response.text());
        }`),
      },
      { routes: { "GET https://slow.test/": () => new Promise((done) => setImmediate(() => done("answered"))) } },
    );
    await trial.deploy();
    await trial.run();
    expect(trial.emits.map(({ event }) => event)).toEqual(["answered"]);
  });

  test("explains why events were dropped", async () => {
    const code = (dedupe: string): string =>
      componentText(`dedupe: "${dedupe}", run(ids) { for (const id of ids) this.$emit(id, { id }); }`);
    const reasons = async (dedupe: string): Promise<string[]> => {
      const trial = source({ code: code(dedupe) });
      await trial.deploy();
      await trial.run([1, 2, 2]);
      await trial.run([2, 1, 3]);
      return trial.deduped.map(({ reason, because }) => `${reason}: ${because}`);
    };
    expect(await reasons("unique")).toEqual([
      'repeated_in_run: id "2" was emitted before in the same run',
      'duplicate: id "2" was emitted in an earlier run',
      'duplicate: id "1" was emitted in an earlier run',
    ]);
    expect(await reasons("greatest")).toEqual([
      'repeated_in_run: id "2" was emitted before in the same run',
      'not_greater: id "2" is not greater than "2", the greatest so far',
      'not_greater: id "1" is not greater than "2", the greatest so far',
    ]);
    expect(await reasons("last")).toEqual([
      'not_after_last: id "2" does not come after "2", the last id of the run before',
    ]);
  });

  test("keeps its db, dedupe state and timer over a restart", async () => {
    const trial = feed();
    await trial.deploy();
    await trial.tick("90s");
    await trial.restart();
    await trial.tick("30s");
    expect(trial.db).toEqual({ polls: 2 });
    expect(trial.emits.map(({ id }) => id)).toEqual(["1", "2"]);
    expect(trial.deduped.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("answers requests as the component does", async () => {
    const trial = source({ code: inboxText });
    await trial.deploy();
    const answer = await trial.request("POST /a/b?x=1", { query: { y: 2 }, body: { id: 7 } });
    expect(answer).toMatchObject({ status: 201, headers: { "x-type": "application/json" }, body: { got: { id: 7 } } });
    expect(trial.emits[0]?.event).toEqual({ method: "POST", path: "/a/b", query: { x: "1", y: "2" }, body: { id: 7 } });
    const form = await trial.request("POST /", { body: new URLSearchParams({ a: "1" }) });
    expect(form.headers["x-type"]).toBe("application/x-www-form-urlencoded");
    const typed = await trial.request("PUT /", { body: "<a/>", headers: { "Content-Type": "text/xml" } });
    expect(typed).toMatchObject({ headers: { "x-type": "text/xml" }, body: { got: "<a/>" } });
  });

  test("answers a request with 5xx and the error when the component threw", async () => {
    const trial = source({ code: inboxText });
    await trial.deploy();
    const answer = await trial.request("POST /", { body: "throw" });
    expect([answer.status, answer.error?.message]).toEqual([500, "cannot take this"]);
  });

  test("runs with the new props and code after an update", async () => {
    const trial = source(
      { code: componentText(`props: { word: { type: "string" } }, run() { this.$emit(this.word); }`) },
      {
        props: { word: "one" },
      },
    );
    await trial.deploy();
    await trial.run();
    await trial.update({ props: { word: "two" } });
    await trial.run();
    await trial.update({
      component: { code: componentText(`props: { word: { type: "string" } }, run() { this.$emit(this.word + "!"); }`) },
    });
    await trial.run();
    expect(trial.emits.map(({ event }) => event)).toEqual(["one", "two", "two!"]);
  });

  test("does not tick while it is paused", async () => {
    const trial = feed();
    await trial.deploy();
    await trial.update({ active: false });
    expect(await trial.tick("5m")).toEqual([]);
    await trial.update({ active: true });
    expect((await trial.tick("1m")).length).toBe(1);
  });

  test("lists the choices of a prop, before and after the deploy", async () => {
    const trial = feed();
    expect((await trial.options("board")).values).toEqual(["a", "b"]);
    await trial.deploy();
    expect(await trial.options("board", { page: 1 })).toEqual({ options: [], values: [], context: null });
  });

  test("has a db that a test can write", async () => {
    const trial = feed();
    await trial.deploy();
    await trial.setDb({ polls: 41 });
    await trial.tick();
    expect(trial.db).toEqual({ polls: 42 });
  });

  test("lists steps and effects in its story, in order", async () => {
    const trial = feed();
    await trial.deploy();
    await trial.tick("2m");
    expect(trial.story).toBe(
      [
        "+00:00:00 deploy",
        "+00:00:00 hook deploy",
        "+00:00:00   console.log deployed",
        "+00:00:00 hook activate",
        "+00:00:00 tick 2m",
        '+00:01:00 run (timer) {"timestamp":1767225660,"interval_seconds":60}',
        "+00:01:00   GET https://api.example.test/items?board=main -> 200",
        "+00:01:00   db.set polls = 1",
        '+00:01:00   emit {"id":1} (id 1)',
        '+00:01:00   emit {"id":2} (id 2)',
        '+00:02:00 run (timer) {"timestamp":1767225720,"interval_seconds":60}',
        "+00:02:00   GET https://api.example.test/items?board=main -> 200",
        "+00:02:00   db.set polls = 2",
        '+00:02:00   dropped {"id":1}: id "1" was emitted in an earlier run',
        '+00:02:00   dropped {"id":2}: id "2" was emitted in an earlier run',
      ].join("\n"),
    );
    trial.clear();
    expect(trial.timeline).toEqual([]);
  });

  test("drops the events of a failed deploy", async () => {
    const trial = source({
      code: componentText(`hooks: { deploy() { this.$emit(1); }, activate() { throw new Error("no"); } }, run() {}`),
    });
    expect((await failureOf(trial.deploy())).message).toBe("no");
    expect(trial.emits).toEqual([]);
    expect(trial.errors.map(({ entry, message }) => [entry, message])).toEqual([["activate", "no"]]);
  });

  test("runs steps one after another, even when they are awaited together", async () => {
    const trial = feed();
    await Promise.all([trial.deploy(), trial.tick("1m"), trial.run()]);
    expect(trial.runs.map(({ entry, source }) => `${entry} ${source}`)).toEqual([
      "deploy hook",
      "activate hook",
      "run timer",
      "run manual",
    ]);
  });

  test("stops a run that exceeds its time or memory", async () => {
    const ended = async (run: string, settings: object): Promise<SourceUnderTest> => {
      const trial = source({ code: componentText(run) }, { settings });
      await trial.deploy();
      return trial;
    };
    const slow = await ended("run() { for (;;) {} }", { runTimeoutMs: 100 });
    await expect(slow.run()).toExceedLimit("time");
    const large = await ended('run() { const all = []; for (;;) all.push("x".repeat(1e6)); }', {
      memoryBytes: 24 * 1024 * 1024,
    });
    await expect(large.run()).toExceedLimit("memory");
    expect([...slow.errors, ...large.errors].map(({ code }) => code)).toEqual([
      "sandbox_timeout",
      "sandbox_out_of_memory",
    ]);
  });
});

describe("a component in files", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "x-testing-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("is read again when one of its files has changed", async () => {
    writeFileSync(
      join(folder, "main.mjs"),
      `import { word } from "./word.mjs";\n${componentText("run() { this.$emit(word); }")}`,
    );
    const emitted: unknown[] = [];
    for (const word of ["first", "second", "second"]) {
      writeFileSync(join(folder, "word.mjs"), `export const word = "${word}";\n`);
      await using trial = source(join(folder, "main.mjs"));
      await trial.deploy();
      emitted.push((await trial.run()).emits[0]?.event);
    }
    expect(emitted).toEqual(["first", "second", "second"]);
  });

  test("has its own frames in the stack when it throws", async () => {
    const file = join(folder, "thrower.mjs");
    writeFileSync(file, componentText(`\n  run() {\n    throw new TypeError("bad");\n  },`));
    const trial = source(new URL(`file://${file}`));
    await trial.deploy();
    const { name, message, stack = "" } = await failureOf(trial.run());
    expect([name, message]).toEqual(["ComponentError [run] TypeError", "bad"]);
    expect(stack).toContain(`${file}:3:`);
    expect(stack).toContain("source.test.ts");
  });
});

test("a route that throws is a failed connection", async () => {
  const trial = feed({
    routes: {
      "GET https://api.example.test/items": ({ times }: { times: number }) => {
        if (times === 0) throw new Error("connection reset");
        return times === 1 ? reply(503, "busy", { "retry-after": "1" }) : [{ id: 9 }];
      },
    },
  });
  await trial.deploy();
  expect((await failureOf(trial.tick("1m"))).message).toContain("fetch failed");
  expect(trial.calls[0]).toMatchObject({ error: "connection reset" });
  await failureOf(trial.tick("1m"));
  await trial.tick("1m");
  expect(trial.calls.map(({ status }) => status)).toEqual([undefined, 503, 200]);
  expect(trial).toHaveEmitted([{ id: 9 }]);
});

test("props have the types that the component declares", () => {
  type Feed = {
    readonly props: {
      readonly board: { readonly type: "string" };
      readonly most: { readonly type: "integer"; readonly optional: true };
      readonly timer: { readonly type: "$.interface.timer" };
      readonly db: "$.service.db";
    };
  };
  source<Feed>({ code: feedText }, { props: { board: "a", most: 3, timer: { cron: "0 9 * * *" } } });
  // @ts-expect-error board is missing
  source<Feed>({ code: feedText }, { props: { most: 3 } });
  // @ts-expect-error most is a number
  source<Feed>({ code: feedText }, { props: { board: "a", most: "3" } });
  // @ts-expect-error there is no such prop
  source<Feed>({ code: feedText }, { props: { board: "a", bord: "b" } });
  expect(() => source<Feed>({ code: feedText }, { props: { board: "a" } })).not.toThrow();
});

test("warnings about the component are in the logs and in the story", async () => {
  const code = `export default { name: "A", version: "1", hooks: { onDeploy() {} }, run() { this.$emit({ a: new Map() }); } };`;
  await using feed = source({ code });
  await feed.deploy();
  await feed.run();
  expect(feed.logs).toMatchObject([
    { level: "warn", entry: "deploy", message: expect.stringContaining("hooks.onDeploy is never called") as string },
    { level: "warn", entry: "run", message: expect.stringContaining("event.a is a Map") as string },
  ]);
  expect(feed.story).toContain("console.warn hooks.onDeploy is never called");
});
