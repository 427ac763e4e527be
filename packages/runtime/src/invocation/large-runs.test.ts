import { afterAll, beforeAll, expect, it } from "vitest";

import { atOnce } from "../../../model/src/process/slices.ts";
import { settleInSteps, type SettleRules } from "./settle.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

it("G50 events of one run have at most 1,000 channels; events before the first excess one are kept", async () => {
  const { source } = await trial.deploy(
    runText(`for (let i = 0; i < 1_001; i++) { this.$emit(i, { name: "c" + i }); this.$emit(i, { name: "c" + i }); }`),
  );
  const execution = await trial.runtime.invoke(source.id);
  expect(execution.emitted).toHaveLength(2_000);
  expect(execution.error).toMatchObject({
    name: "EmitLimitError",
    message: 'A run may emit on at most 1000 channels, "c1000" is one more',
  });
});

/** The steps that settle a run with these emits. */
function settling(emits: readonly object[], dedupe?: string): ReturnType<typeof settleInSteps> {
  const cached = {
    source: { id: "dc_1", userId: "u_1", settings: {}, configuredProps: {} },
    component: { shape: { props: [], dedupe } },
    dedupe: {},
    heads: {},
    db: new Map(),
    untrimmed: new Map(),
  };
  const executed = {
    executionId: "e",
    entry: "run",
    auth: {},
    collected: {
      emits,
      db: new Map(),
      dataStores: { changes: () => [] },
      logs: { records: () => [] },
      response: undefined,
      step: undefined,
    },
    outcome: { status: "ok", durationMs: 0, computeMs: 0, memoryBytes: 0 },
  };
  const rules = {
    limits: trial.runtime.limits,
    now: 0,
    transactional: false,
    hasListeners: () => true,
    masks: { of: () => ({ text: String, value: (value: unknown) => value }) },
  };
  return settleInSteps(cached as never, executed as never, rules as unknown as SettleRules);
}

it("S55 events that are dropped although nobody has seen their ids are in the logs", () => {
  const emits = ["a", "5", "b", "5"].map((id, at) => ({ payload: "1", at, id }));
  const { execution, changes } = atOnce(settling(emits, "greatest"));
  expect([execution.emitted.length, execution.deduped]).toEqual([1, 3]);
  const msg = '2 events were dropped: id "a" cannot be compared';
  expect(execution.logs).toMatchObject([{ k: "console.warn", msg }]);
  expect(JSON.stringify(changes)).toContain("2 events were dropped");
  expect(atOnce(settling(emits.slice(1, 2), "greatest")).execution.logs).toEqual([]);
});

it("other work can use the thread while a run with many events is settled", () => {
  const steps = settling(Array.from({ length: 20_000 }, (_, at) => ({ payload: "1", at })));
  let turns = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) turns += 1;
  expect(step.value.events).toHaveLength(20_000);
  // The copies, the ids, the events that are not stored and those in the result.
  expect(turns).toBeGreaterThan(4 * 150);
});
