import { expect, it } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import { testEngine } from "../engine.cases.ts";
import type { ObservedQuestion } from "../../../model/src/observed.ts";
import type { ObservedExecution } from "../api/events-api.ts";
import type { RuntimeOptions } from "../api/options.ts";
import { componentText, startMs, type Trial, trialOf } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";

async function open(options: RuntimeOptions, clock = manualClock(startMs)): Promise<Trial> {
  const runtime = await createRuntime({ engine: await testEngine(), clock, ...options });
  await runtime.start();
  return trialOf(runtime, clock);
}

const deduping =
  componentText(`dedupe: "greatest", props: { db: "$.service.db" }, hooks: { deploy() { this.db.set("a", 1); } },
  run(ids) { for (const id of ids) this.$emit({ id }, { id, summary: "s" + id, name: "n" }); if (ids.length > 2) throw new Error("many"); },`);

it("reports every hook and run: emitted events, dropped ones with the reason, and db writes", async () => {
  const seen: ObservedExecution[] = [];
  await using runtime = (await open({ observe: (observed) => void seen.push(observed) })).runtime;
  const { source } = await runtime.deploy({ code: deduping });
  await runtime.invoke(source.id, { event: [1, 2] });
  await runtime.invoke(source.id, { event: [1, 3, 3] });
  expect(seen.map(({ entry, type, execution }) => [entry, type, execution.status])).toEqual([
    ["deploy", "HOOK", "ok"],
    ["run", "MANUAL", "ok"],
    ["run", "MANUAL", "error"],
  ]);
  expect(seen[0]?.db).toEqual(new Map([["a", "1"]]));
  expect(seen[2]?.emitted.map(({ payload, dedupeId }) => [payload, dedupeId])).toEqual([['{"id":3}', "3"]]);
  expect(seen[2]?.dropped).toEqual([
    { payload: '{"id":1}', id: "1", name: "n", summary: "s1", reason: "not_greater", remembered: "2" },
    { payload: '{"id":3}', id: "3", name: "n", summary: "s3", reason: "repeated_in_run", remembered: "2" },
  ]);
  expect(seen[2]?.event).toBe("[1,3,3]");
});

it("reports writes to data stores, the last one of each key, and none of a run that failed", async () => {
  const seen: ObservedExecution[] = [];
  await using runtime = (await open({ observe: (observed) => void seen.push(observed) })).runtime;
  const code = componentText(`props: { shop: { type: "data_store", default: "shop" } },
    async run(event) { await this.shop.set("n", 1); await this.shop.set("n", 2); await this.shop.set("m", 1); await this.shop.delete("m");
      if (event.fails) throw new Error("no"); },`);
  const { source } = await runtime.deploy({ code });
  await runtime.invoke(source.id, { event: {} });
  await runtime.invoke(source.id, { event: { fails: true } });
  expect(seen.map(({ dataStores }) => dataStores)).toEqual([
    [
      { name: "shop", key: "n", value: "2" },
      { name: "shop", key: "m", value: undefined },
    ],
    [],
  ]);
});

it("reports every request and its outcome", async () => {
  const seen: ObservedExecution[] = [];
  const answer = ({ url }: Request): Promise<Response> =>
    url.endsWith("/a") ? Promise.resolve(new Response(null, { status: 204 })) : Promise.reject(new Error("no way"));
  const options = { network: { fetch: answer }, observe: (observed: ObservedExecution) => void seen.push(observed) };
  await using runtime = (await open(options)).runtime;
  const code = componentText(
    `async run() { await fetch("https://one.test/a"); await fetch("https://one.test/b", { method: "POST" }); },`,
  );
  const { source } = await runtime.deploy({ code });
  await runtime.invoke(source.id);
  expect(seen.map(({ calls }) => calls)).toEqual([
    [
      { method: "GET", url: "https://one.test/a", status: 204 },
      { method: "POST", url: "https://one.test/b", error: "Request to https://one.test/b failed: no way." },
    ],
  ]);
});

it("reports the requests of options and additionalProps, without secrets", async () => {
  const seen: ObservedQuestion[] = [];
  const options = {
    network: { fetch: () => Promise.resolve(new Response(null, { status: 403 })) },
    observe: { ask: (asked: ObservedQuestion) => void seen.push(asked) },
  };
  await using runtime = (await open(options)).runtime;
  const code = componentText(
    `props: { token: { type: "string", secret: true, reloadProps: true } },
     async additionalProps() { await fetch("https://one.test/fields?key=" + this.token); return {}; }, run() {},`,
  );
  const { component, source } = await runtime.deploy({ code, props: { token: "hidden-token" } });
  expect(seen).toEqual([
    {
      entry: "additionalProps",
      componentId: component.id,
      userId: source.userId,
      calls: [{ method: "GET", url: "https://one.test/fields?key=***", status: 403 }],
    },
  ]);
});

it("an exception of an observer does not fail the run, and is logged", async () => {
  const errors: string[] = [];
  const logger = { info() {}, warn() {}, error: (message: string) => void errors.push(message) };
  const observe = (): never => {
    throw new Error("observer");
  };
  await using runtime = (await open({ observe, logger })).runtime;
  const { source } = await runtime.deploy({ code: componentText(`run() { this.$emit(1); },`) });
  expect((await runtime.invoke(source.id)).emitted).toHaveLength(1);
  expect(errors).toEqual(["observe threw"]);
});

it("the next runtime with the same memory continues where the former ended; a copy is independent", async () => {
  const memory = createMemory();
  const clock = manualClock(startMs);
  const counting =
    componentText(`props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }, db: "$.service.db" },
    run() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit(n); },`);
  const first = await open({ memory }, clock);
  const { source } = await first.deploy(counting);
  await first.advance(60_000);
  const copied = memory.copy();
  await first.runtime.close();
  const second = await open({ memory }, clock);
  await second.advance(60_000);
  expect(await second.payloads(source.id)).toEqual([1, 2]);
  await second.runtime.close();
  const other = await open({ memory: copied }, manualClock(startMs + 60_000));
  expect(await other.payloads(source.id)).toEqual([1]);
  await other.advance(60_000);
  expect(await other.payloads(source.id)).toEqual([1, 2]);
  await other.runtime.close();
});

it("only one runtime can use a memory, and not together with a data folder", async () => {
  const memory = createMemory();
  const former = await open({ memory });
  const { source } = await former.deploy(componentText(`run() {},`));
  const next = await open({ memory });
  await expect(former.runtime.source(source.id)).rejects.toMatchObject({ code: "closed" });
  expect((await next.runtime.source(source.id)).source.id).toBe(source.id);
  await expect(createRuntime({ memory, data: "nowhere" })).rejects.toMatchObject({ code: "invalid_options" });
  await former.runtime.close();
  await next.runtime.close();
});

it("a component's clock has the time of the runtime's, and advances with the component's own timers", async () => {
  const code = componentText(`props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    async run() {
      const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
      const times = [new Date(), Date.now()];
      await sleep(3);
      times.push(new Date().getTime());
      await Promise.all([sleep(4), sleep(2)]);
      await new Promise((done) => setImmediate(done));
      times.push(Date.now());
      class Later extends Date {}
      const own = new Later();
      this.$emit({ times, same: [own instanceof Date, own.getTime() === Date.now(), new Date(5).getTime(), Date.UTC(2020, 0),
        new Date() instanceof Date, typeof Date(), new Date().constructor === Date, Date.name, Date.length, structuredClone(new Date(7)).getTime()] });
    },`);
  for (const settings of [{}, { warm: true }]) {
    const trial = await open({});
    const { source } = await trial.deploy(code, {}, { settings });
    await trial.advance(60_000);
    await trial.advance(60_000);
    const at = (minutes: number) => startMs + minutes * 60_000;
    const same = [true, true, 5, Date.UTC(2020, 0), true, "string", true, "Date", 7, 7];
    expect(await trial.payloads(source.id)).toEqual(
      [1, 2].map((minutes) => ({
        times: [new Date(at(minutes)).toISOString(), at(minutes), at(minutes) + 3, at(minutes) + 7],
        same,
      })),
    );
    await trial.runtime.close();
  }
});

it("without a clock option a component has the system time", async () => {
  await using runtime = await createRuntime({ engine: await testEngine() });
  const { source } = await runtime.deploy({ code: componentText(`run() { console.log(String(Date.now())); },`) });
  const before = Date.now();
  const { logs } = await runtime.invoke(source.id);
  expect(Number(logs[0]?.msg)).toBeGreaterThanOrEqual(before - 1);
  expect(Number(logs[0]?.msg)).toBeLessThanOrEqual(Date.now());
});
