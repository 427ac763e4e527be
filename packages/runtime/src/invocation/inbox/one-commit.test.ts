import { afterEach, expect, it, vi } from "vitest";

import type { Change, Memory, Store } from "../../../../store/src/contract.ts";
import { createMemory } from "../../../../store/src/memory/memory.ts";
import { manualClock } from "../../../../model/src/process/clock.ts";
import { XError } from "../../../../model/src/errors.ts";
import { testEngine } from "../../engine.cases.ts";
import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  type Gate,
  settleTurns,
  startMs,
  type Trial,
  trialOf,
} from "../../runtime.cases.ts";
import { assembleRuntime } from "../../runtime.ts";

/** A process on some records; its commits are recorded, and can be refused. */
interface Process extends Trial {
  readonly gate: Gate;
  readonly store: Store;
  /** The operations of each commit since the last call. */
  commits(): readonly (readonly Change["op"][])[];
  /** For each of these operations, the next commit with it fails. */
  refuse(...ops: readonly Change["op"][]): void;
}

/** No run takes long from now on, however slow the machine is. */
const stopTime = (): void => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

const open: Process[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(open.splice(0).map(({ runtime }) => runtime.close({ drainMs: 0 })));
});

async function start(memory: Memory, atMs: number = startMs, state: "open" | "closed" = "open"): Promise<Process> {
  const store = memory.open();
  let commits: (readonly Change["op"][])[] = [];
  const refused = new Set<Change["op"]>();
  const recorded: Store = {
    ...store,
    async commit(changes) {
      const ops = changes.map(({ op }) => op);
      if (ops.filter((op) => refused.delete(op)).length > 0)
        throw new XError("store_failed", ["commit", "the test says so"]);
      await store.commit(changes);
      if (changes.length > 0) commits.push(ops);
    },
  };
  const clock = manualClock(atMs);
  const gate = createGate();
  if (state === "closed") gate.close();
  const runtime = await assembleRuntime({ clock, engine: await testEngine(), accounts: gate.accounts }, recorded);
  await runtime.start();
  const process = {
    ...trialOf(runtime, clock),
    gate,
    store,
    commits: () => commits.splice(0),
    refuse: (...ops: readonly Change["op"][]) => ops.forEach((op) => refused.add(op)),
  };
  open.push(process);
  return process;
}

const requests = componentText(
  `props: { ${gatedProp}, db: "$.service.db", http: "$.interface.http" },
   run(event) { this.db.set("n", 1); this.$emit(event.body); },`,
);
const ticks = componentText(
  `props: { ${gatedProp}, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
   run(event) { this.$emit(event.timestamp); },`,
);
const firstTick = (startMs + 60_000) / 1_000;

it("S63 a request of an idle source is one commit, without a trigger", async () => {
  const process = await start(createMemory());
  const view = await process.deploy(requests, gatedValue);
  process.commits();
  stopTime();
  expect((await process.hit(view, { text: "1" })).status).toBe(200);
  const commits = process.commits();
  expect(commits).toHaveLength(1);
  expect(commits[0]).toEqual(expect.arrayContaining(["db.set", "event.add", "execution.add"]));
  expect(commits[0]?.filter((op) => op.startsWith("trigger."))).toEqual([]);
});

it("S63 the trigger of a run that takes long is stored as begun, and its sender is answered before the run ends", async () => {
  const memory = createMemory();
  const process = await start(memory);
  const view = await process.deploy(requests, gatedValue);
  process.gate.close();
  process.commits();
  expect((await process.hit(view, { text: "1" })).status).toBe(200);
  expect(process.commits()).toEqual([["trigger.add"]]);
  expect(await process.payloads(view.source.id)).toEqual([]);
  expect((await process.store.recoverTriggers()).map(({ crashes }) => crashes)).toEqual([1]);
  process.gate.open();
  await process.runtime.idle();
  expect(await process.payloads(view.source.id)).toEqual([1]);
  expect(process.commits().map((ops) => ops.filter((op) => op.startsWith("trigger.")))).toEqual([["trigger.remove"]]);
});

it("S63 a later request waits behind one that is in memory, and is stored", async () => {
  const process = await start(createMemory());
  const view = await process.deploy(requests, gatedValue);
  process.gate.close();
  process.commits();
  const first = process.hit(view, { text: "1" });
  expect((await process.hit(view, { text: "2" })).status).toBe(200);
  process.gate.open();
  expect((await first).status).toBe(200);
  await process.runtime.idle();
  expect(await process.payloads(view.source.id)).toEqual([1, 2]);
  expect(await process.store.triggers()).toEqual([]);
});

it("S63 when the outcome of a run cannot be committed, its trigger is stored and runs again", async () => {
  const process = await start(createMemory());
  const view = await process.deploy(requests, gatedValue);
  process.refuse("event.add");
  process.commits();
  stopTime();
  expect((await process.hit(view, { text: "1" })).status).toBe(200);
  expect(process.commits()).toEqual([["trigger.add"]]);
  await process.advance(2_000);
  expect(await process.payloads(view.source.id)).toEqual([1]);
  expect(await process.store.triggers()).toEqual([]);
});

it("S63 a sender of whose event nothing can be stored gets no 2xx, and its repetition is the first delivery", async () => {
  const process = await start(createMemory());
  const view = await process.deploy(requests, gatedValue);
  process.refuse("event.add", "trigger.add");
  stopTime();
  await expect(process.hit(view, { text: "1" })).rejects.toMatchObject({ code: "store_failed" });
  expect(await process.store.triggers()).toEqual([]);
  expect((await process.hit(view, { text: "1" })).status).toBe(200);
  await process.advance(2_000);
  expect(await process.payloads(view.source.id)).toEqual([1]);
});

it("S64 a tick and the one after it are one commit, and until then nothing is stored of it", async () => {
  const process = await start(createMemory());
  const { source } = await process.deploy(ticks, gatedValue);
  const before = await process.store.timers();
  process.gate.close();
  process.commits();
  process.clock.jump(60_000);
  await settleTurns();
  expect(process.commits()).toEqual([]);
  expect(await process.store.timers()).toEqual(before);
  expect(await process.runtime.nextTick(source.id)).toBe(startMs + 120_000);
  process.gate.open();
  await process.runtime.idle();
  const [commit = [], ...others] = process.commits();
  expect([commit, others]).toEqual([expect.arrayContaining(["event.add", "timer.set"]), []]);
  expect(commit.filter((op) => op.startsWith("trigger."))).toEqual([]);
  expect(await process.payloads(source.id)).toEqual([firstTick]);
});

it("S64 a tick whose outcome cannot be committed runs again", async () => {
  const process = await start(createMemory());
  const { source } = await process.deploy(ticks, gatedValue);
  process.refuse("timer.set");
  await process.advance(60_000);
  expect(await process.payloads(source.id)).toEqual([]);
  await process.advance(2_000);
  expect(await process.payloads(source.id)).toEqual([firstTick]);
  expect(await process.runtime.nextTick(source.id)).toBe(startMs + 120_000);
});

it("S64 a tick that a crash cut off is due at the next start, once, and counts as a crash from then on", async () => {
  const memory = createMemory();
  const first = await start(memory);
  const { source } = await first.deploy(ticks, gatedValue);
  first.gate.close();
  first.clock.jump(60_000);
  await settleTurns();
  // The first process hangs, as if it had ended.
  const second = await start(memory, startMs + 61_000, "closed");
  await settleTurns();
  expect(second.commits()).toEqual([["trigger.add", "timer.set"]]);
  expect((await second.store.recoverTriggers()).map(({ crashes }) => crashes)).toEqual([1]);
  second.gate.open();
  await second.runtime.idle();
  expect(await second.payloads(source.id)).toEqual([firstTick]);
  expect(await second.runtime.nextTick(source.id)).toBe(startMs + 120_000);
});
