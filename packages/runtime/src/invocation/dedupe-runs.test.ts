import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import type { Json } from "../../../model/src/model.ts";
import { componentText, makeFolder, openTrial, removeFolders, startMs, type Trial, trialOf } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { testEngine } from "../engine.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(async () => {
  await trial.runtime.close();
  removeFolders();
});

/** Emits what the event lists: `[payload, meta]` each, with times written as texts to be evaluated. */
const emitter = (strategy?: string): string =>
  componentText(
    `${strategy === undefined ? "" : `dedupe: "${strategy}",`} run(event) { for (const [payload, meta] of event.emits) this.$emit(payload, meta) },`,
  );
const ids = (...list: unknown[]): { emits: Json[] } => ({ emits: list.map((id) => [id, { id }]) as Json[] });
const x100 = Array.from({ length: 100 }, (_, index) => `x${index}`);
const many = Array.from({ length: 150 }, (_, index) => `m${index}`);

/** Steps of one source, one run each: the ids given, and the payloads emitted. */
const vectors: readonly [string, string, readonly (readonly [readonly unknown[], readonly unknown[]])[]][] = [
  [
    "U1 G47",
    "unique",
    [
      [
        ["a", "b", "a", 1, "1"],
        ["a", "b", 1],
      ],
    ],
  ],
  [
    "U2 U3",
    "unique",
    [
      [x100, x100],
      [["x0", "x99", "new"], ["new"]],
      [
        ["x0", "x1"],
        ["x0", "x1"],
      ],
    ],
  ],
  [
    "U4 U5",
    "unique",
    [
      [many, many],
      [many, many],
    ],
  ],
  [
    "G1 G2 G3 G46",
    "greatest",
    [
      [
        [5, 4, 3, 3],
        [5, 4, 3],
      ],
      [
        [7, 5, 6, 4],
        [7, 6],
      ],
      [
        ["9007199254740993", "9007199254740992"],
        ["9007199254740993", "9007199254740992"],
      ],
      [["9007199254740993"], []],
    ],
  ],
  [
    "G6",
    "greatest",
    [
      [[0], [0]],
      [[0], []],
    ],
  ],
  [
    "L1 L2 L3 L4 L5",
    "last",
    [
      [
        ["a", "b", "c"],
        ["a", "b", "c"],
      ],
      [
        ["b", "c", "d", "e"],
        ["d", "e"],
      ],
      [["e"], []],
      [
        ["x", "y"],
        ["x", "y"],
      ],
      [[], []],
      [["y"], []],
    ],
  ],
  [
    "L7",
    "last",
    [
      [["c"], ["c"]],
      [["c", "d", "c", "f"], ["f"]],
    ],
  ],
];

/** What each vector's steps gave: one process after another, each takes one step of every vector. */
async function runVectors(): Promise<{ emitted: unknown[]; deduped: number }[][]> {
  const data = makeFolder();
  const sourceIds: string[] = [];
  const results = vectors.map((): { emitted: unknown[]; deduped: number }[] => []);
  const longest = Math.max(...vectors.map(([, , steps]) => steps.length));
  for (let step = 0; step < longest; step++) {
    const clock = manualClock(startMs + step);
    const { runtime, payloads } = trialOf(await createRuntime({ data, clock, engine: await testEngine() }), clock);
    await runtime.start();
    for (const [index, [, strategy, steps]] of vectors.entries()) {
      const given = steps[step]?.[0];
      if (!given) continue;
      const id = (sourceIds[index] ??= (await runtime.deploy({ code: emitter(strategy) })).source.id);
      await runtime.deleteEvents(id, "emits", {});
      const { deduped } = await runtime.invoke(id, { event: ids(...given) });
      results[index]?.push({ emitted: await payloads(id), deduped });
    }
    await runtime.close();
  }
  return results;
}

describe("dedupe", () => {
  let results: Awaited<ReturnType<typeof runVectors>>;
  beforeAll(async () => {
    results = await runVectors();
  });

  it.each(vectors.map((vector, index) => [...vector, index] as const))(
    "%s holds for runs of a %s source, each in a process of its own",
    (_rule, _strategy, steps, index) => {
      expect(results[index]).toEqual(
        steps.map(([given, emitted]) => ({
          emitted: emitted.slice(-100),
          deduped: given.length - emitted.length,
        })),
      );
    },
  );

  it("L6 R128 last with ts takes the id of the newest event", async () => {
    const { source } = await trial.deploy(emitter("last"));
    await trial.runtime.invoke(source.id, { event: ids("c") });
    const at = (id: string, ts: number): Json => [id, { id, ts }];
    await trial.runtime.invoke(source.id, { event: { emits: [at("d", 30), at("c", 20), at("b", 10)] } });
    await trial.runtime.invoke(source.id, { event: ids("d", "e") });
    expect(await trial.payloads(source.id)).toEqual(["c", "d", "e"]);
  });

  it.each(["unique", "greatest", "last"])(
    "G50 an emit of a %s source without id throws at the call",
    async (strategy) => {
      const { source } = await trial.deploy(emitter(strategy));
      const execution = await trial.runtime.invoke(source.id, { event: { emits: [[1, {}]] } });
      expect(execution).toMatchObject({ status: "error", emitted: [], error: { name: "DedupeIdRequiredError" } });
    },
  );

  it("G4 an id that is not a number throws at the call, and the state does not change", async () => {
    const { source } = await trial.deploy(emitter("greatest"));
    await trial.runtime.invoke(source.id, { event: ids(5) });
    const execution = await trial.runtime.invoke(source.id, { event: ids("abc") });
    expect(execution.error).toMatchObject({ name: "DedupeIdNotNumericError" });
    await trial.runtime.invoke(source.id, { event: ids(5, 6) });
    expect(await trial.payloads(source.id)).toEqual([5, 6]);
  });

  it("4.3 the state survives code updates and pauses; a change of the strategy resets it", async () => {
    const { source } = await trial.deploy(emitter("unique"));
    const run = async (): Promise<number> =>
      (await trial.runtime.invoke(source.id, { event: ids(1, 2) })).emitted.length;
    expect(await run()).toBe(2);
    await trial.runtime.update(source.id, { code: `${emitter("unique")}// changed\n` });
    expect(await run()).toBe(0);
    await trial.runtime.update(source.id, { active: false });
    await trial.runtime.update(source.id, { active: true });
    expect(await run()).toBe(0);
    await trial.runtime.update(source.id, { code: emitter("greatest") });
    expect(await run()).toBe(2);
    expect(await run()).toBe(0);
    await trial.runtime.update(source.id, { code: emitter("unique") });
    expect(await run()).toBe(2);
  });

  it("4.3 each channel has a state of its own, and hooks share it with run", async () => {
    const { source } = await trial.deploy(
      componentText(
        `dedupe: "unique", hooks: { deploy() { this.$emit("d", { id: 1 }) } }, run() { this.$emit("a", { id: 1 }); this.$emit("b", { id: 1, name: "other" }); },`,
      ),
    );
    await trial.runtime.invoke(source.id);
    const stored = await trial.stored(source.id);
    expect(stored.map(({ payload, name }) => [payload, name])).toEqual([
      ['"d"', ""],
      ['"b"', "other"],
    ]);
  });

  it("T12 warns of a run beyond the window; the window is an option", async () => {
    const { source } = await trial.deploy(emitter("unique"));
    const first = await trial.runtime.invoke(source.id, { event: ids(...many) });
    expect(first.logs).toMatchObject([{ k: "console.warn", msg: expect.stringContaining("dedupe_window_exceeded") }]);
    await trial.runtime.update(source.id, { settings: { dedupeCacheSize: 200 } });
    await trial.runtime.invoke(source.id, { event: ids(...many) });
    const again = await trial.runtime.invoke(source.id, { event: ids(...many) });
    expect([again.emitted.length, again.logs.length]).toEqual([0, 0]);
  });

  it("G49 ids longer than 64 characters are distinguished", async () => {
    const { source } = await trial.deploy(emitter("unique"));
    const long = "i".repeat(100);
    await trial.runtime.invoke(source.id, { event: ids(`${long}1`, `${long}2`, `${long}1`) });
    expect(await trial.payloads(source.id)).toHaveLength(2);
  });
});
