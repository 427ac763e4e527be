import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import type { Runtime } from "./api/runtime-api.ts";
import { manualClock } from "../../model/src/process/clock.ts";
import { createEngine } from "./engine.ts";
import type { Engine } from "./api/options.ts";
import { componentText, startMs } from "./runtime.cases.ts";
import { createRuntime } from "./runtime.ts";

let engine: Engine;
beforeAll(async () => {
  engine = await createEngine({ workers: 1, limits: { runTimeoutMs: 60_000 } });
});
afterAll(() => engine.close());

const emitting = componentText(`run(event) { console.log(event.say); this.$emit(event.say); },`);

async function start(nowMs: number): Promise<Runtime> {
  const runtime = await createRuntime({ engine, clock: manualClock(nowMs) });
  await runtime.start();
  return runtime;
}

it("serves several runtimes, each with its own clock, sources and events", async () => {
  const runtimes = await Promise.all([start(startMs), start(startMs + 1_000)]);
  const said = await Promise.all(
    runtimes.map(async (runtime, index) => {
      const { source } = await runtime.deploy({ code: emitting });
      const { logs } = await runtime.invoke(source.id, { event: { say: index } });
      const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
      return { at: logs.map(({ ts }) => ts), events: items.map(({ payload }) => payload) };
    }),
  );
  expect(said).toEqual([
    { at: [startMs], events: ["0"] },
    { at: [startMs + 1_000], events: ["1"] },
  ]);
  for (const runtime of runtimes) {
    expect((await runtime.sources({ limit: 10 })).totalCount).toBe(1);
    expect(runtime.limits.runTimeoutMs).toBe(60_000);
    await runtime.close();
  }
});

it("a runtime can close while a component loops; other calls of the thread lose nothing", async () => {
  const [leaving, staying] = await Promise.all([start(startMs), start(startMs)]);
  const spinning = await leaving.deploy({ code: componentText(`run() { this.$emit("before"); for (;;) {} },`) });
  const { source } = await staying.deploy({ code: emitting });
  const unheard = leaving.invoke(spinning.source.id).catch((error: unknown) => error);
  const results = Promise.all([1, 2, 3].map((say) => staying.invoke(source.id, { event: { say } })));
  await leaving.close({ drainMs: 1 });
  expect(await unheard).toMatchObject({ code: "closed" });
  expect((await results).map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
  expect(await staying.invoke(source.id, { event: { say: 4 } })).toMatchObject({ status: "ok" });
  await staying.close();
});

it("a runtime can close while its components wait, and the engine serves the next one", async () => {
  const leaving = await start(startMs);
  const { source } = await leaving.deploy({
    code: componentText(`async run() { await new Promise((r) => setTimeout(r, 60000)); },`),
  });
  const unheard = leaving.invoke(source.id).catch((error: unknown) => error);
  await leaving.close({ drainMs: 1 });
  expect(await unheard).toMatchObject({ code: "closed" });
  const next = await start(startMs);
  const { source: other } = await next.deploy({ code: emitting });
  expect(await next.invoke(other.id, { event: { say: 1 } })).toMatchObject({ status: "ok" });
  await next.close();
});

it("every runtime has the limits of the engine; contradicting options are refused", async () => {
  const refused = { code: "invalid_options" };
  await expect(createRuntime({ engine, limits: { retention: 5 } })).rejects.toMatchObject(refused);
  await expect(createRuntime({ engine, workers: 2 })).rejects.toMatchObject(refused);
});

it("a closed engine refuses runs with an explanation", async () => {
  const closed = await createEngine({ workers: 1 });
  await closed.close();
  const runtime = await createRuntime({ engine: closed });
  await expect(runtime.deploy({ code: emitting })).rejects.toMatchObject({ code: "closed" });
  await runtime.close();
});

it("rejects a deploy under way with closed, without blaming the component", async () => {
  const own = await createEngine({ workers: 1 });
  const begun = Promise.withResolvers<void>();
  const sandbox: typeof own.sandbox = {
    ...own.sandbox,
    describe(bundle, limits) {
      begun.resolve();
      return own.sandbox.describe(bundle, limits);
    },
  };
  const runtime = await createRuntime({ engine: { ...own, sandbox } });
  const deploying = runtime.deploy({ code: `for (;;); ${emitting}` }).catch((error: unknown) => error);
  await begun.promise;
  await own.close();
  expect(await deploying).toMatchObject({ code: "closed" });
  await runtime.close();
});

it("separates the warm state of sources of two runtimes with the same id and code", async () => {
  const code = `const seen = [];
    export default { name: "Warm", steps: [{ name: "one", run({ steps, $ }) { seen.push(steps.trigger.event); $.send.emit(seen) } }] };`;
  const id = "p_warm";
  for (const event of ["mine", "theirs"]) {
    const runtime = await start(startMs);
    await runtime.workflow({ id, code, settings: { warm: true } });
    await runtime.invoke(id, { event });
    await runtime.invoke(id, { event });
    const { items } = await runtime.storedEvents(id, "emits", { limit: 10 });
    expect(items.map(({ payload }) => payload)).toEqual([`["${event}","${event}"]`, `["${event}"]`]);
    await runtime.close();
  }
});

/** Runs a script with what an embedder has, in a process of its own. */
async function exitOf(script: string): Promise<number | null> {
  const entry = JSON.stringify(new URL("../dist/bundled/index.js", import.meta.url).href);
  const text = `import { createEngine, createRuntime } from ${entry};\n${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", text], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}

it("does not keep the process alive, nor does its reserve thread", async () => {
  // Beyond the time at which the reserve is started.
  const waiting = componentText("run() { return new Promise((done) => setTimeout(done, 1_300)); },");
  const code = await exitOf(`
    const runtime = await createRuntime({ engine: await createEngine({ workers: 1 }) });
    const { source } = await runtime.deploy({ code: ${JSON.stringify(waiting)} });
    await runtime.invoke(source.id);
    await runtime.close();
  `);
  expect(code).toBe(0);
});

it("keeps the process alive until its threads have ended, also when a call ends meanwhile", async () => {
  const spinning = componentText("run() { for (const end = Date.now() + 200; Date.now() < end;); },");
  const code = await exitOf(`
    const engine = await createEngine({ workers: 1 });
    const runtime = await createRuntime({ engine });
    const { source } = await runtime.deploy({ code: ${JSON.stringify(spinning)} });
    await runtime.invoke(source.id);
    // Nothing but the thread is left to wait for.
    await engine.bundler.close();
    runtime.invoke(source.id).catch(() => {});
    await new Promise((begun) => setTimeout(begun, 50));
    // The last message of the call has not been read yet.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    await engine.close();
  `);
  expect(code).toBe(0);
});

it("keeps the process alive during a fetch of code that never ends", async () => {
  const code = await exitOf(`
    const limits = { codeFetchTimeoutMs: 50 };
    const runtime = await createRuntime({ limits, network: { fetch: () => new Promise(() => {}) } });
    const failed = await runtime.deploy({ url: "https://example.com/a.js" }).catch(({ code }) => code);
    if (failed !== "component_url_failed") throw new Error(failed);
    await runtime.close();
  `);
  expect(code).toBe(0);
});

it("keeps the process alive until the writer of its data has ended, also when the writer crashes", async () => {
  const data = mkdtempSync(join(tmpdir(), "x-engine-"));
  const code = await exitOf(`
    const started = new Promise((resolve) => process.once("worker", resolve));
    const runtime = await createRuntime({ data: ${JSON.stringify(data)}, workers: 0 });
    const writer = await started;
    const waiting = setInterval(() => {}, 60_000);
    // No order that it knows.
    writer.postMessage(5);
    await new Promise((died) => writer.once("error", died));
    clearInterval(waiting);
    await runtime.close();
  `);
  rmSync(data, { recursive: true });
  expect(code).toBe(0);
});
