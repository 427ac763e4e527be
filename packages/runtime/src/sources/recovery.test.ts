import { Keyv } from "keyv";
import { afterEach, expect, it } from "vitest";

import { testEngine } from "../engine.cases.ts";
import type { Memory } from "../../../store/src/contract.ts";
import type { RuntimeOptions } from "../api/options.ts";
import { componentText, createGate, gatedProp, gatedValue, type Trial, trialOf } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";
import { type ManualClock, manualClock } from "../../../model/src/process/clock.ts";

const started: Trial[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ runtime }) => runtime.close({ drainMs: 0 })));
});

/** One process; a held hook never ends, as in a process that is killed. */
interface Process extends Trial {
  /** Holds every later hook; resolves when a hook has begun. */
  hold(): Promise<void>;
}

/** The next process on the same records; the former one can no longer store anything. */
async function openProcess(
  memory: Memory,
  { clock = manualClock(1_795_197_600_000), ...options }: RuntimeOptions & { clock?: ManualClock } = {},
): Promise<Process> {
  const gate = createGate();
  let begun = Promise.withResolvers<void>();
  const runtime = await createRuntime({
    memory,
    clock,
    engine: await testEngine(),
    accounts: () => {
      begun.resolve();
      return gate.accounts();
    },
    ...options,
  });
  const hold = (): Promise<void> => {
    gate.close();
    begun = Promise.withResolvers();
    return begun.promise;
  };
  const trial = { ...trialOf(runtime, clock), hold };
  started.push(trial);
  return trial;
}

/** A component that logs each hook before the hook can be held. */
const gated = (mark: string): string =>
  componentText(`props: { db: "$.service.db", ${gatedProp} },
    hooks: Object.fromEntries(["deploy", "activate", "deactivate"].map((hook) => [hook, function () {
      this.db.set("last", hook + " ${mark}"); console.log(hook + " ${mark}");
    }])),
    run() { this.$emit(this.db.get("last")); },`);

/** Starts a change and leaves it in its first hook. */
async function cutOff(first: Process, change: () => Promise<unknown>): Promise<void> {
  const held = first.hold();
  change().catch(() => undefined);
  await held;
}

it("R077 $logs name the interrupted hook, and until the change is finished clients see the previous source", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.update(source.id, { code: gated("new"), name: "Renamed" }));
  const second = await openProcess(memory);
  expect((await second.runtime.source(source.id)).source).toEqual(source);
  await second.runtime.start();
  await second.runtime.idle();
  expect((await second.runtime.source(source.id)).source).toMatchObject({ id: source.id, nameSlug: "renamed" });
  expect(await second.log(source.id)).toEqual(["deploy old", "activate old", "deactivate old", "activate new"]);
  const logs = (await second.payloads(source.id, "$logs")) as { k: string; context: string; msg: string }[];
  expect(logs.at(-1)).toMatchObject({
    k: "console.warn",
    context: "start",
    msg: "The process ended during the update of this source, in its deactivate hook; continued with deactivate, activate.",
  });
  expect(await second.payloads(source.id, "$errors")).toEqual([]);
  await second.runtime.invoke(source.id);
  expect(await second.payloads(source.id)).toEqual(["activate new"]);
});

it("R078 a new change waits for the recovery of an unfinished one", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.update(source.id, { active: false }));
  // Not started: the change itself begins the recovery.
  const second = await openProcess(memory);
  const resumed = await second.runtime.update(source.id, { active: true });
  expect(resumed.source.active).toBe(true);
  expect(await second.log(source.id)).toEqual(["deploy old", "activate old", "deactivate old", "activate old"]);
});

it("R035 an unfinished change reserves the new slug", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.update(source.id, { name: "Wanted" }));
  const second = await openProcess(memory);
  const other = await second.deploy(componentText("run() {},"), {}, { name: "Wanted" });
  await second.runtime.start();
  await second.runtime.idle();
  expect((await second.runtime.source(source.id)).source.nameSlug).toBe("wanted");
  expect(other.source.nameSlug).not.toBe("wanted");
});

it("S24 a change whose hook crashes the process three times is abandoned: the source is inactive, with a record in $errors", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.delete(source.id));
  for (const _ of [2, 3]) {
    const next = await openProcess(memory);
    await cutOff(next, () => next.runtime.start());
  }
  const last = await openProcess(memory);
  await last.runtime.start();
  await last.runtime.idle();
  expect((await last.runtime.source(source.id)).source.active).toBe(false);
  expect(await last.payloads(source.id, "$errors")).toMatchObject([
    { error: { code: "transition_abandoned", cellId: "c_deactivate" } },
  ]);
  expect(await last.log(source.id)).toEqual(["deploy old", "activate old"]);
  await last.runtime.delete(source.id);
  await expect(last.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
});

it("S24 closing a process during a hook does not count as a crash", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.update(source.id, { code: gated("new") }));
  await first.runtime.close({ drainMs: 0 });
  for (const _ of [2, 3, 4]) {
    const next = await openProcess(memory);
    await cutOff(next, () => next.runtime.start());
    await next.runtime.close({ drainMs: 0 });
  }
  const last = await openProcess(memory);
  await last.runtime.start();
  await last.runtime.idle();
  expect(await last.log(source.id)).toEqual(["deploy old", "activate old", "deactivate old", "activate new"]);
});

it("R066 an external Keyv has the writes of the hooks of both processes", async () => {
  const memory = createMemory();
  const keyv = new Keyv();
  const first = await openProcess(memory, { keyv });
  await first.runtime.start();
  const { source } = await first.deploy(gated("old"), gatedValue);
  await cutOff(first, () => first.runtime.update(source.id, { code: gated("new") }));
  const second = await openProcess(memory, { keyv });
  await second.runtime.start();
  await second.runtime.idle();
  await second.runtime.invoke(source.id);
  expect(await second.payloads(source.id)).toEqual(["activate new"]);
  await second.runtime.delete(source.id);
  await expect(second.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
});

it("S62 what hooks write to a data store is stored with their change, also if a crash cut it off", async () => {
  const memory = createMemory();
  const first = await openProcess(memory);
  await first.runtime.start();
  const code = componentText(`props: { store: { type: "data_store", default: "shop" }, ${gatedProp} },
    hooks: Object.fromEntries(["activate", "deactivate"].map((hook) => [hook, async function () {
      await this.store.set(hook, ((await this.store.get(hook)) ?? 0) + 1);
    }])),
    run() {},`);
  const stored = async ({ runtime }: Trial): Promise<unknown> =>
    (await runtime.dataStoreEntries("shop")).map(({ key, value }) => [key, value]);
  const { source } = await first.deploy(code, gatedValue);
  expect(await stored(first)).toEqual([["activate", 1]]);
  await cutOff(first, () => first.runtime.delete(source.id));
  const second = await openProcess(memory);
  expect(await stored(second)).toEqual([["activate", 1]]);
  await second.runtime.start();
  await second.runtime.idle();
  await expect(second.runtime.source(source.id)).rejects.toMatchObject({ code: "not_found" });
  expect(await stored(second)).toEqual([
    ["activate", 1],
    ["deactivate", 1],
  ]);
});
