import { afterEach, beforeEach, expect, test } from "vitest";

import {
  type Json,
  manualClock,
  type ManualClock,
  type Runtime,
  type RuntimeOptions,
  type SourceView,
  XError,
} from "@x/runtime";

import { assembleRuntime } from "../../packages/runtime/src/runtime.ts";
import type { Store } from "../../packages/store/src/contract.ts";
import { createMemoryStore } from "../../packages/store/src/memory/memory.ts";
import { createFailingStore, type FailingStore } from "./failing-store.ts";
import { testEngine } from "../../packages/runtime/src/engine.cases.ts";

const maxCalls = 60;
const startMs = Date.UTC(2026, 10, 20, 18);

/** Counts its runs and hooks in the db, and emits each count. */
const counting = (version: string): string => `const count = (self) => {
  const n = (self.db.get("n") ?? 0) + 1;
  self.db.set("n", n);
  console.log("${version}");
  return n;
};
export default {
  name: "Counting", version: "${version}", dedupe: "unique",
  props: { db: "$.service.db", http: "$.interface.http", timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
  hooks: {
    deploy() { this.$emit("deploy", { id: "deploy " + count(this) }); },
    activate() { this.$emit("activate", { id: "activate " + count(this) }); },
    deactivate() { count(this); },
  },
  run() { const n = count(this); this.$emit(n, { id: "run " + n }); this.$emit(-n, { id: "also " + n }); },
};`;

interface Bench {
  readonly inner: Store;
  readonly failing: FailingStore;
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  /** Hooks that have ended, each as `<hook> <version>`. */
  readonly hooks: string[];
}

async function open(inner: Store = createMemoryStore(), clock: ManualClock = manualClock(startMs)): Promise<Bench> {
  const failing = createFailingStore(inner);
  const hooks: string[] = [];
  const observe: RuntimeOptions["observe"] = ({ entry, execution }) => {
    if (entry !== "run") hooks.push(`${entry} ${execution.logs[0]?.msg}`);
  };
  const runtime = await assembleRuntime(
    { clock, engine: await testEngine(), apiKey: "faults-key-000001", observe },
    failing.store,
  );
  await runtime.start();
  return { inner, failing, runtime, clock, hooks };
}

let bench: Bench;
beforeEach(async () => {
  bench = await open();
});
afterEach(() => bench.runtime.close());

/** Another runtime on the same store, with empty caches, so that reads can fail too. */
async function reopen(): Promise<void> {
  await bench.runtime.close();
  bench = await open(bench.inner, bench.clock);
}

/** Waits for retries and due ticks. */
async function settle(): Promise<void> {
  bench.clock.jump(2_000);
  await bench.runtime.idle();
}

const deploy = (version = "1"): Promise<SourceView> => bench.runtime.deploy({ code: counting(version) });

/** The data of a source in the store, without its record. */
async function remainsOf(id: string): Promise<object> {
  const { inner } = bench;
  const { heads, dedupe } = await inner.sourceState(id);
  const timers = (await inner.timers()).filter(({ sourceId }) => sourceId === id);
  const { items: events } = await inner.events(id, "emits", { limit: 1_000, retention: 1_000 });
  return { heads, dedupe, db: [...(await inner.db(id))], timers, events, triggers: await inner.triggers(id) };
}

const nothing = { heads: {}, dedupe: {}, db: [], timers: [], events: [], triggers: [] };

/** Checks an existing source: its counter, events, dedupe state and timer must agree. */
async function expectWhole(id: string): Promise<{ version: string; runs: number }> {
  const { inner } = bench;
  const source = await inner.source(id);
  if (!source) throw new Error("The source is gone");
  const { heads, dedupe } = await inner.sourceState(id);
  const { items } = await inner.events(id, "emits", { limit: 1_000, retention: 1_000 });
  const events = items.toReversed();
  expect(await inner.triggers(id)).toEqual([]);
  expect((await inner.timers()).some(({ sourceId }) => sourceId === id)).toBe(source.active);
  expect(heads.emits).toEqual(events.at(-1)?.id);
  const runs = events
    .map(({ payload }) => JSON.parse(payload) as Json)
    .filter((payload): payload is number => typeof payload === "number");
  // Each run has both of its events, in order.
  for (let index = 0; index < runs.length; index += 2) expect(runs[index + 1]).toBe(-(runs[index] ?? 0));
  const ids = events.map(({ dedupeId }) => dedupeId ?? "");
  expect(dedupe[""]?.ids).toEqual(ids.slice(-100));
  expect(new Set(ids).size).toBe(ids.length);
  // Every hook and run increments the counter; deactivate emits no event.
  const counted = Math.max(...ids.map((each) => Number(each.split(" ")[1])));
  expect(Number((await inner.db(id)).get("n"))).toBeGreaterThanOrEqual(counted);
  const component = await inner.component(source.componentId);
  return { version: component?.shape.version ?? "", runs: runs.length / 2 };
}

/** Fails the n-th call for n = 1, 2, … until the operation succeeds without a failure. */
async function failEach(
  operation: () => Promise<unknown>,
  check: (outcome: "done" | "refused", failed: string) => Promise<void>,
): Promise<string[]> {
  const places: string[] = [];
  for (let n = 1; n <= maxCalls; n++) {
    bench.failing.failAt(n);
    const outcome = await operation().then(
      () => "done" as const,
      (error: unknown) => {
        expect(error).toMatchObject({ code: "store_failed" });
        return "refused" as const;
      },
    );
    await settle();
    const failed = bench.failing.failed();
    bench.failing.failAt(undefined);
    if (failed === undefined && outcome === "done") return places;
    if (failed === undefined) throw new Error("The operation failed, although the store did not");
    places.push(failed);
    await check(outcome, failed);
  }
  throw new Error(`The operation did not pass untouched in ${maxCalls} tries`);
}

const sourceIds = async (): Promise<Set<string>> => {
  const { items } = await bench.runtime.sources({ limit: 1_000 });
  return new Set(items.map(({ source }) => source.id));
};

test("R076 a deploy leaves nothing when the store fails, and succeeds when repeated", async () => {
  let version = 100;
  // New code each time, so that the component is stored, too.
  const places = await failEach(
    () => deploy(String(++version)),
    async (outcome) => {
      expect(outcome).toBe("refused");
      // The effects of a hook are undone.
      expect(bench.hooks.splice(0).at(-1) ?? `deactivate ${version}`).toBe(`deactivate ${version}`);
      expect(await sourceIds()).toEqual(new Set());
      expect(await bench.inner.timers()).toEqual([]);
    },
  );
  // The change is stored before each hook; the component and its source are one commit.
  const commits = places.filter((place) => place.startsWith("commit"));
  const last = expect.stringMatching(/component\.put transition\.delete source\.put/);
  expect(commits).toEqual(["commit transition.put", "commit transition.put", last]);
  const [id = ""] = await sourceIds();
  expect(await expectWhole(id)).toEqual({ version: String(version), runs: 0 });
});

test.each(["known to the caches", "just read"])(
  "S1 a request to a source %s is not answered 2xx and never runs when the store fails; one answered 2xx runs once",
  async (state) => {
    const { source } = await deploy();
    const url = source.endpoints["http"] ?? "";
    let accepted = 0;
    const send = async (): Promise<void> => {
      const { status } = await bench.runtime.request(url, {
        method: "POST",
        path: "/",
        url,
        search: "",
        headers: [],
        body: new Uint8Array(0),
        clientIp: "127.0.0.1",
      });
      expect(status).toBe(200);
      accepted += 1;
      await bench.runtime.idle();
    };
    // The first run also reads the bundle.
    if (state === "known to the caches") await send();
    const places = await failEach(send, async () => {
      expect(await expectWhole(source.id)).toEqual({ version: "1", runs: accepted });
      if (state === "just read") await reopen();
    });
    // The outcome of the run, or its trigger where the run takes long.
    expect(places).toContainEqual(expect.stringMatching(/^commit (trigger\.add|.*event\.add)/));
    const reads = state === "just read" ? ["source", "sourceState", "db"] : [];
    expect(places).toEqual(expect.arrayContaining(reads));
    expect(await expectWhole(source.id)).toEqual({ version: "1", runs: accepted });
  },
);

test.each(["known to the caches", "just read"])(
  "G41 a timer tick of a source %s happens later, once, when the store fails",
  async (state) => {
    const { source } = await deploy();
    let ticks = 0;
    const tick = async (): Promise<void> => {
      ticks += 1;
      bench.clock.jump(60_000);
      await bench.runtime.idle();
    };
    // The first run also reads the bundle.
    if (state === "known to the caches") await tick();
    const places = await failEach(tick, async () => {
      const whole = await expectWhole(source.id);
      expect(whole.runs).toBe(ticks);
      if (state === "just read") await reopen();
    });
    expect(places).toContainEqual(expect.stringMatching(/^commit .*event\.add .*timer\.set$/));
    expect((await expectWhole(source.id)).runs).toBe(ticks);
  },
);

test("a manual run succeeds when repeated after a failure of the store", async () => {
  const { source } = await deploy();
  let done = 0;
  await failEach(
    async () => {
      await bench.runtime.invoke(source.id);
      done += 1;
    },
    async (outcome) => {
      const whole = await expectWhole(source.id);
      // The store failed after the trigger was stored: it has run meanwhile.
      expect(whole.runs).toBeGreaterThanOrEqual(done);
      done = whole.runs ?? 0;
      expect(outcome).toBe("refused");
    },
  );
  expect((await expectWhole(source.id)).runs).toBe(done);
});

test("R077 an update leaves the old code, props and state when the store fails", async () => {
  const { source } = await deploy();
  let version = 1;
  const places = await failEach(
    async () => {
      await bench.runtime.update(source.id, { code: counting(String(version + 1)) });
      version += 1;
    },
    async (outcome) => {
      expect(outcome).toBe("refused");
      expect(bench.hooks.at(-1)).toBe(`activate ${version}`);
      const before = await bench.inner.db(source.id);
      expect((await expectWhole(source.id)).version).toBe(String(version));
      const { status } = await bench.runtime.invoke(source.id);
      expect(status).toBe("ok");
      // The run had the state of the old source, not that of the hooks of the failed update.
      expect((await bench.inner.db(source.id)).get("n")).toBe(String(Number(before.get("n")) + 1));
    },
  );
  expect(places).toContainEqual(expect.stringMatching(/^commit .*source\.put timer\.set$/));
  expect((await expectWhole(source.id)).version).toBe("2");
});

test("R078 a delete leaves the source unchanged when the store fails, and succeeds when repeated", async () => {
  const { source } = await deploy();
  await bench.runtime.invoke(source.id);
  const places = await failEach(
    () => bench.runtime.delete(source.id),
    async (outcome) => {
      expect(outcome).toBe("refused");
      expect(bench.hooks.at(-1)).toBe("activate 1");
      expect(await expectWhole(source.id)).toEqual({ version: "1", runs: 1 });
    },
  );
  expect(places).toContain("commit source.delete");
  expect(await bench.inner.source(source.id)).toBeUndefined();
  expect(await remainsOf(source.id)).toEqual(nothing);
});

test("a start succeeds when repeated after a failure of the store", async () => {
  const outcomes: string[] = [];
  for (let n = 1; outcomes.at(-1) !== "untouched" && n <= maxCalls; n++) {
    const failing = createFailingStore(createMemoryStore());
    failing.failAt(n);
    const opened = await assembleRuntime({ engine: await testEngine() }, failing.store).catch(
      (error: unknown) => error,
    );
    if (XError.is(opened)) {
      outcomes.push(`not opened: ${opened.code}`);
      continue;
    }
    const runtime = opened as Runtime;
    const refusal = await runtime.start().catch((error: unknown) => error);
    if (XError.is(refusal)) {
      outcomes.push(`not started: ${refusal.code}`);
      await runtime.start();
      await runtime.deploy({ code: counting("1") });
    } else outcomes.push(failing.failed() === undefined ? "untouched" : "went on");
    await runtime.close();
  }
  // Interrupted renewals of tokens are looked for beside the start; without, the next run renews.
  const expected = ["not opened: store_failed", "not started: store_failed", "went on", "untouched"];
  expect(new Set(outcomes)).toEqual(new Set(expected));
  expect(outcomes.filter((outcome) => outcome === "went on")).toHaveLength(1);
});

test("a run that could not be committed runs again before the later triggers of its source", async () => {
  const code = `export default {
    name: "Order", version: "1", props: { http: "$.interface.http" }, run(event) { this.$emit(event.body); },
  };`;
  const { source } = await bench.runtime.deploy({ code });
  const send = (n: number): Promise<{ status: number }> =>
    bench.runtime.request(source.endpoints["http"] ?? "", {
      method: "POST",
      path: "/",
      url: "http://sources.test/",
      search: "",
      headers: [["content-type", "application/json"]],
      body: Buffer.from(String(n)),
      clientIp: "127.0.0.1",
    });
  bench.failing.failCommit("event.add");
  for (const n of [1, 2, 3]) expect((await send(n)).status).toBe(200);
  await bench.runtime.idle();
  expect(bench.failing.failed()).toContain("event.add");
  await settle();
  const { items } = await bench.inner.events(source.id, "emits", { limit: 10, retention: 10 });
  expect(items.map(({ payload }) => payload).toReversed()).toEqual(["1", "2", "3"]);
});
