import { afterEach, expect, test } from "vitest";

import { type Json, manualClock, type Runtime, type RuntimeOptions, type SourceView } from "@x/runtime";

import { assembleRuntime } from "../../packages/runtime/src/runtime.ts";
import type { Store } from "../../packages/store/src/contract.ts";
import { createMemoryStore } from "../../packages/store/src/memory/memory.ts";
import { createFailingStore } from "./failing-store.ts";
import { testEngineWithin } from "../../packages/runtime/src/engine.cases.ts";

const startMs = Date.UTC(2026, 10, 20, 18);

const opened: Runtime[] = [];
afterEach(async () => {
  for (const runtime of opened.splice(0)) await runtime.close({ drainMs: 1 });
});

async function open(store: Store, { limits = {}, ...options }: RuntimeOptions = {}): Promise<Runtime> {
  const runtime = await assembleRuntime({ engine: await testEngineWithin(limits), ...options }, store);
  opened.push(runtime);
  return runtime;
}

const component = (members: string): string => `export default { name: "Racing", version: "1", ${members} };`;

async function payloads(store: Store, id: string, stream: "emits" | "$errors" = "emits"): Promise<Json[]> {
  const { items } = await store.events(id, stream, { limit: 1_000, retention: 1_000 });
  return items.map(({ payload }) => JSON.parse(payload) as Json).toReversed();
}

function request(runtime: Runtime, { source }: SourceView): Promise<{ status: number }> {
  const url = source.endpoints["http"] ?? "";
  return runtime.request(url, {
    method: "POST",
    path: "/",
    url,
    search: "",
    headers: [],
    body: new Uint8Array(0),
    clientIp: "127.0.0.1",
  });
}

test("S1 a run that the end of the runtime interrupts has no effect, and runs completely after the next start", async () => {
  const { store } = createFailingStore(createMemoryStore());
  const first = await open(store);
  await first.start();
  const { source } = await first.deploy({
    code: component(`props: { db: "$.service.db" }, async run() {
      const n = (this.db.get("n") ?? 0) + 1;
      this.db.set("n", n);
      this.$emit(n);
      if (this.db.get("wait")) await new Promise((resolve) => setTimeout(resolve, 60000));
      this.$emit(-n);
    }`),
  });
  const db = await first.db(source.id);
  await db.set("wait", true);
  const started = await first.invoke(source.id, { wait: false });
  const waiting = await first.invoke(source.id, { wait: false });
  await first.close({ drainMs: 1 });
  expect((await store.triggers(source.id)).map(({ id }) => id)).toEqual([started.executionId, waiting.executionId]);
  expect(await payloads(store, source.id)).toEqual([]);
  expect(await payloads(store, source.id, "$errors")).toEqual([]);

  const second = await open(store);
  await (await second.db(source.id)).set("wait", false);
  await second.start();
  await second.idle();
  expect(await payloads(store, source.id)).toEqual([1, -1, 2, -2]);
  expect(await store.triggers()).toEqual([]);
});

test("S1 a trigger that was accepted before the start runs once, also when start is called twice", async () => {
  const store = createMemoryStore();
  const runtime = await open(store);
  const { source } = await runtime.deploy({ code: component(`run() { this.$emit(1) }`) });
  await runtime.invoke(source.id, { wait: false });
  await Promise.all([runtime.start(), runtime.start()]);
  await runtime.idle();
  expect(await payloads(store, source.id)).toEqual([1]);
});

test("4.1 a run that the runtime itself cannot complete becomes an $errors record instead of running for ever", async () => {
  const store = createMemoryStore();
  const engine = await testEngineWithin({});
  const call = (): Promise<never> => Promise.reject(new TypeError("a fault of the runtime"));
  const runtime = await open(store, { engine: { ...engine, sandbox: { ...engine.sandbox, call } } });
  await runtime.start();
  const { source } = await runtime.deploy({ code: component(`run() { this.$emit(1) }`) });
  await expect(runtime.invoke(source.id)).rejects.toThrow("a fault of the runtime");
  await runtime.idle();
  expect(await store.triggers()).toEqual([]);
  expect(await payloads(store, source.id, "$errors")).toMatchObject([{ error: { code: "internal" } }]);
});

test("S16 a secret of digits in a logged number is masked, and the run succeeds", async () => {
  const runtime = await open(createMemoryStore());
  await runtime.start();
  const { source } = await runtime.deploy({
    code: component(
      `props: { pin: { type: "string", secret: true } }, run() { console.log(1234567, { pin: 1234567 }) }`,
    ),
    props: { pin: "1234567" },
  });
  const { status, logs } = await runtime.invoke(source.id);
  expect(status).toBe("ok");
  expect(logs).toHaveLength(1);
  expect(JSON.stringify(logs)).not.toContain("1234567");
});

test("S1 a request answered during the hook of an update runs, although the store refused the update", async () => {
  const failing = createFailingStore(createMemoryStore());
  const hook = Promise.withResolvers<object>();
  const runtime = await open(failing.store, {
    accounts: () => (updating ? hook.promise : {}),
  });
  let updating = false;
  await runtime.start();
  const members = (name: string): string => `props: { http: "$.interface.http", gate: { type: "app", app: "gate" } },
    hooks: { async activate() {} }, run() { this.$emit("${name}") }`;
  const view = await runtime.deploy({
    code: component(members("old")),
    props: { gate: { authProvisionId: "apn_1" } },
  });
  const { id: componentId } = await runtime.saveComponent({ code: component(members("new")) });
  updating = true;
  failing.failCommit("source.put");
  const update = runtime.update(view.source.id, { componentId });
  // The activate hook waits for its account during the request.
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(await request(runtime, view)).toMatchObject({ status: 200 });
  hook.resolve({});
  await expect(update).rejects.toMatchObject({ code: "store_failed" });
  await runtime.idle();
  expect(await payloads(failing.store, view.source.id)).toEqual(["old"]);
  expect(await failing.store.triggers()).toEqual([]);
});

async function passTurns(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
}

/** Every interleaving of two operations: the second begins this many turns after the first. */
const offsets = Array.from({ length: 24 }, (_, turns) => turns);

test("G39 a source that is deactivated while its timer fires has no more ticks", async () => {
  const store = createMemoryStore();
  const clock = manualClock(startMs);
  const runtime = await open(store, { clock });
  await runtime.start();
  const code = component(`props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    run() { this.$emit(1) }`);
  const { source } = await runtime.deploy({ code });
  for (const turns of offsets) {
    for (const tickFirst of [true, false]) {
      let update: Promise<unknown>;
      if (tickFirst) {
        clock.jump(60_000);
        await passTurns(turns);
        update = runtime.update(source.id, { active: false });
      } else {
        update = runtime.update(source.id, { active: false });
        await passTurns(turns);
        clock.jump(60_000);
      }
      await update;
      await runtime.idle();
      expect(await store.timers()).toEqual([]);
      const before = (await payloads(store, source.id)).length;
      clock.jump(600_000);
      await runtime.idle();
      expect((await payloads(store, source.id)).length).toBe(before);
      await runtime.update(source.id, { active: true });
    }
  }
});

test("G39 an update that keeps the schedule neither drops nor repeats a concurrent tick", async () => {
  const store = createMemoryStore();
  const clock = manualClock(startMs);
  const runtime = await open(store, { clock });
  await runtime.start();
  const code = component(`props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    run(event) { this.$emit(event.timestamp) }`);
  const { source } = await runtime.deploy({ code });
  for (const turns of offsets) {
    clock.jump(60_000);
    await passTurns(turns);
    await runtime.update(source.id, { name: `name ${turns}` });
    clock.jump(0);
    await runtime.idle();
  }
  const expected = offsets.map((turns) => startMs / 1_000 + 60 * (turns + 1));
  expect(await payloads(store, source.id)).toEqual(expected.slice(-100));
});

test("R078 a delete leaves nothing of concurrent requests and ticks", async () => {
  const store = createMemoryStore();
  const clock = manualClock(startMs);
  const runtime = await open(store, { clock });
  await runtime.start();
  const code =
    component(`props: { http: "$.interface.http", timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    run() { this.$emit(1) }`);
  for (const turns of offsets) {
    const view = await runtime.deploy({ code });
    const requests = [request(runtime, view)];
    clock.jump(60_000);
    const deleted = runtime.delete(view.source.id);
    await passTurns(turns);
    requests.push(request(runtime, view));
    await deleted;
    for (const { status } of await Promise.all(requests)) expect([200, 404]).toContain(status);
    await runtime.idle();
    expect(await store.triggers()).toEqual([]);
    expect(await store.timers()).toEqual([]);
    expect(await payloads(store, view.source.id)).toEqual([]);
  }
});

test("3.5 events beyond the retained ones of one run are not written, but they count for ids and order", async () => {
  const inner = createMemoryStore();
  let written = 0;
  const store: Store = {
    ...inner,
    commit(changes) {
      written += changes.filter(({ op }) => op === "event.add").length;
      return inner.commit(changes);
    },
  };
  const runtime = await open(store, { limits: { retention: 10 } });
  await runtime.start();
  const { source } = await runtime.deploy({
    code: component(`run() { for (let n = 1; n <= 500; n++) this.$emit(n) }`),
  });
  const received: Json[] = [];
  const listening = (async () => {
    for await (const { event } of runtime.events({ sourceId: source.id }))
      received.push(JSON.parse(event.payload) as Json);
  })();
  const { emitted } = await runtime.invoke(source.id);
  expect(emitted).toHaveLength(500);
  expect(written).toBe(10);
  expect(await payloads(inner, source.id)).toEqual([491, 492, 493, 494, 495, 496, 497, 498, 499, 500]);
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 1 });
  expect(items[0]?.id).toBe(emitted.at(-1)?.id);
  await runtime.close();
  await listening;
  expect(received).toHaveLength(500);
});
