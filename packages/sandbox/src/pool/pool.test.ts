import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Sandbox } from "../contract.ts";
import { defaults } from "../../../model/src/limits.ts";
import { sha256Hex } from "../../../model/src/process/sha256.ts";
import { readEngineFiles } from "../machine/engine-files.ts";
import { createPool } from "./pool.ts";
import { largeEvents, openOwnSandbox, returnLargeEvent, runBody, tryComponent } from "../sandbox.cases.ts";

describe("the sandbox", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = openOwnSandbox();
  });
  afterAll(() => sandbox.close());

  it("gives run the event and sends emits, db writes and logs to the host in order", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(`
        console.log("hello %s", "you", { a: 1 });
        this.db.set("n", (this.db.get("n") ?? 0) + 1);
        await null;
        this.$emit({ got: event }, { id: 7, summary: 12, ts: new Date(5), name: "c" });
        this.$emit(undefined);
      `),
      { event: { x: 1 }, db: { n: 4 } },
    );
    expect(seen.outcome.status).toBe("ok");
    expect(seen.emits).toEqual([
      { payload: '{"got":{"x":1}}', id: "7", summary: "12", ts: 5, name: "c", at: 1_000 },
      { payload: "null", at: 1_000 },
    ]);
    expect(seen.db).toEqual([["n", "5"]]);
    expect(seen.logs).toEqual([
      { level: "log", msg: "hello you { a: 1 }", data: '["hello %s","you",{"a":1}]', at: 1_000 },
    ]);
  });

  it.each(largeEvents)("passes an event of $length characters whole", async (event) => {
    expect(await returnLargeEvent(sandbox, event)).toEqual([event, 1]);
  });

  it("fails a call of what is not there", async () => {
    const code = `module.exports = { name: "t", version: "1", hooks: {} };`;
    for (const entry of ["run", "activate"] as const) {
      const { outcome } = await tryComponent(sandbox, code, { entry });
      expect(outcome).toMatchObject({
        status: "error",
        error: { name: "TypeError", message: `${entry} is not a function of this component` },
      });
    }
  });

  it("starts every run from a fresh realm, and keeps module state when warm", async () => {
    const code = `let count = 0; module.exports = { name: "t", version: "1", run() { this.$emit(++count); } };`;
    const cold = [await tryComponent(sandbox, code), await tryComponent(sandbox, code)];
    expect(cold.map((seen) => seen.emits[0]?.payload)).toEqual(["1", "1"]);
    const warm = { source: "dc_warm", call: { warm: true } };
    const kept = [await tryComponent(sandbox, code, warm), await tryComponent(sandbox, code, warm)];
    expect(kept.map((seen) => seen.emits[0]?.payload)).toEqual(["1", "2"]);
  });

  it("keeps a promise of a former run from ending the next run of a warm sandbox", async () => {
    const code = `let release; module.exports = { name: "t", version: "1", async run(event) {
      if (event.first) { setTimeout(() => { throw new Error("timer") }, 1); await new Promise((done) => (release = done)); return; }
      release(); await null; await new Promise((done) => setTimeout(done, 5)); this.$emit("second");
    } };`;
    const warm = { source: "dc_former", call: { warm: true } };
    const first = await tryComponent(sandbox, code, { ...warm, event: { first: true } });
    expect(first.outcome.error?.message).toBe("timer");
    const second = await tryComponent(sandbox, code, warm);
    expect([second.outcome.status, second.emits.map((emit) => emit.payload)]).toEqual(["ok", ['"second"']]);
  });

  it("draws different random numbers and bytes in every clone of an image", async () => {
    const code = runBody("this.$emit([Math.random(), crypto.randomUUID()])");
    const drawn = [];
    for (let index = 0; index < 5; index++) drawn.push((await tryComponent(sandbox, code)).emits[0]?.payload);
    expect(new Set(drawn).size).toBe(5);
  });

  it("evaluates a module that draws random bytes while loading anew for every run", async () => {
    const code = `const id = crypto.randomUUID(); ${runBody("this.$emit(id)")}`;
    const first = await tryComponent(sandbox, code);
    const second = await tryComponent(sandbox, code);
    expect(first.outcome.status).toBe("ok");
    expect(first.emits[0]?.payload).not.toBe(second.emits[0]?.payload);
  });

  it("keeps NUL characters and lone surrogates of JSON values, and bytes as bytes", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(`
        this.db.set("text", "a\\u0000b\\ud800c");
        const bytes = new Uint8Array([0, 255, 128, 0]);
        const reply = await fetch("https://example.test/", { method: "POST", body: bytes });
        this.$emit([...new Uint8Array(await reply.arrayBuffer())]);
      `),
      {
        fetch: (request) =>
          Promise.resolve({
            url: request.url,
            status: 200,
            statusText: "OK",
            headers: [],
            redirected: false,
            body: Uint8Array.from([...(request.body ?? [])].toReversed()),
          }),
      },
    );
    expect(JSON.parse(seen.db[0]?.[1] ?? "")).toBe("a\u0000b\ud800c");
    expect(seen.emits[0]?.payload).toBe("[0,128,255,0]");
  });

  it("describes a thrown error with its name, message and stack", async () => {
    const seen = await tryComponent(sandbox, runBody(`throw new RangeError("too far")`));
    expect(seen.outcome).toMatchObject({
      status: "error",
      error: { code: "component_threw", name: "RangeError", message: "too far" },
    });
    expect(seen.outcome.error?.stack).toContain("bundle.js:1");
  });

  it.each([
    ["a string", `throw "plain"`, "plain"],
    ["null", `throw null`, "null"],
    [
      "an object whose fields throw",
      `throw { get message() { throw 1 }, get name() { throw 2 }, toString() { throw 3 } }`,
      "a value that cannot be shown",
    ],
    ["a proxy", `throw new Proxy({}, { get() { throw 1 } })`, "a value that cannot be shown"],
  ])("survives a component that throws %s", async (_what, body, message) => {
    const seen = await tryComponent(sandbox, runBody(body));
    expect(seen.outcome.error?.message).toBe(message);
  });

  it("keeps effects that were made before a throw", async () => {
    const seen = await tryComponent(sandbox, runBody(`this.$emit(1); this.db.set("k", 2); throw new Error("late")`));
    expect([seen.emits.length, seen.db.length, seen.outcome.status]).toEqual([1, 1, "error"]);
  });

  it("ends a run at once that awaits what nothing can settle", async () => {
    const seen = await tryComponent(sandbox, runBody(`await new Promise(() => {})`));
    expect(seen.outcome.error?.message).toBe("run awaits a promise that nothing can settle");
  });

  it("runs timers in order, and lets a cleared one rest", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(`
        const order = [];
        const never = setTimeout(() => order.push("never"), 1);
        clearTimeout(never);
        setTimeout(() => order.push("b"), 10);
        setTimeout((x) => order.push(x), 1, "a");
        const left = await new Promise((done) => {
          const every = setInterval(() => {
            order.push("i");
            if (order.filter((x) => x === "i").length < 3 || !order.includes("b")) return;
            clearInterval(every);
            setTimeout(done, 10, order.length);
          }, 3);
        });
        this.$emit([order[0], order.includes("b"), order.includes("never"), order.length === left]);
      `),
    );
    expect(seen.emits[0]?.payload).toBe('["a",true,false,true]');
  });

  it("makes a failed fetch a TypeError that the component can catch, with the reason as cause", async () => {
    const seen = await tryComponent(
      sandbox,
      runBody(
        `try { await fetch("https://example.test") } catch (e) { this.$emit([e.name, e.message, e.cause.message]) }`,
      ),
    );
    expect(seen.emits[0]?.payload).toBe('["TypeError","fetch failed","no network in this test"]');
  });

  it("aborts a fetch through its signal", async () => {
    let aborted = false;
    const seen = await tryComponent(
      sandbox,
      runBody(
        `try { await fetch("https://example.test", { signal: AbortSignal.timeout(5) }) } catch (e) { this.$emit(e.name) }`,
      ),
      {
        fetch: (_request, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              reject(new Error("aborted"));
            });
          }),
      },
    );
    expect([seen.emits[0]?.payload, aborted]).toEqual(['"TimeoutError"', true]);
  });

  it("runs many sources at once, each with its own result", async () => {
    const runs = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        tryComponent(sandbox, runBody(`await new Promise((d) => setTimeout(d, 5)); this.$emit(event.index)`), {
          event: { index },
          source: `dc_${index}`,
        }),
      ),
    );
    expect(runs.map((seen) => Number(seen.emits[0]?.payload))).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  it("describes a module without giving it any capability", async () => {
    const code = `module.exports = { name: "d", version: "1", props: { db: "$.service.db" }, methods: { m() {} }, run() {} };`;
    const description = await sandbox.describe(
      { hash: "d", code },
      { timeoutMs: 1_000, memoryBytes: 64 * 1024 * 1024 },
    );
    expect(description).toMatchObject({ ok: true });
    expect(JSON.parse(description.ok ? description.json : "")).toEqual({
      name: "d",
      version: "1",
      props: { db: "$.service.db" },
      methods: { m: { $function: true } },
      run: { $function: true },
    });
  });

  it.each([1, 3])("evaluates a module once for its description and for %i calls right after it", async (calls) => {
    const code = runBody("this.$emit(filled.length)").replace(/^/, `const filled = new Array(${calls}e4).fill("x"); `);
    const before = sandbox.stats().imageMisses;
    const limits = { timeoutMs: 60_000, memoryBytes: 64 * 1024 * 1024 };
    await sandbox.describe({ hash: sha256Hex(code), code }, limits);
    const seen = await Promise.all(
      Array.from({ length: calls }, (_, index) => tryComponent(sandbox, code, { source: `dc_${index}` })),
    );
    expect(seen.map(({ emits }) => emits[0]?.payload)).toEqual(
      Array.from({ length: calls }, () => String(calls * 10_000)),
    );
    expect(sandbox.stats().imageMisses).toBe(before);
  });

  it("reports a module that throws or never ends while it is evaluated", async () => {
    const limits = { timeoutMs: 200, memoryBytes: 64 * 1024 * 1024 };
    const thrown = await sandbox.describe({ hash: "e1", code: `throw new TypeError("no")` }, limits);
    expect(thrown).toMatchObject({ ok: false, error: { name: "TypeError", message: "no" } });
    const endless = await sandbox.describe({ hash: "e2", code: `for (;;) {}` }, limits);
    expect(endless).toMatchObject({ ok: false });
    const stuck = await sandbox.describe(
      { hash: "e3", code: `"a".repeat(2e6).indexOf("a".repeat(1e6) + "b")` },
      limits,
    );
    expect(stuck).toMatchObject({ ok: false, error: { code: "sandbox_timeout" } });
  });
});

describe("a sandbox whose threads cannot start", () => {
  it("ends every call as closed, so that what was to run stays, and tries again with the next", async () => {
    const sandbox = createPool({
      workers: 1,
      limits: defaults,
      files: { ...readEngineFiles(), prelude: ["throw 1"] },
    });
    const seen = await Promise.all([0, 1, 2].map(() => tryComponent(sandbox, runBody("this.$emit(1)"))));
    expect(seen.map(({ outcome, emits }) => [outcome.error?.code, emits.length])).toEqual([
      ["closed", 0],
      ["closed", 0],
      ["closed", 0],
    ]);
    expect((await tryComponent(sandbox, runBody("this.$emit(1)"))).outcome.error?.code).toBe("closed");
    await sandbox.close();
  });
});
