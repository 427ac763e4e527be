import { afterAll, beforeAll, expect, it } from "vitest";

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

it("other work can use the thread while a run with many events is settled", () => {
  const emits = Array.from({ length: 20_000 }, (_, at) => ({ payload: "1", at }));
  const cached = {
    source: { id: "dc_1", userId: "u_1", settings: {}, configuredProps: {} },
    component: { shape: { props: [] } },
    dedupe: {},
    heads: {},
    db: new Map(),
    untrimmed: new Map(),
  };
  const executed = {
    executionId: "e",
    entry: "run",
    auth: {},
    collected: { emits, db: new Map(), logs: { records: () => [] }, response: undefined, step: undefined },
    outcome: { status: "ok", durationMs: 0, computeMs: 0, memoryBytes: 0 },
  };
  const rules = {
    limits: trial.runtime.limits,
    now: 0,
    transactional: false,
    hasListeners: () => true,
    masks: { of: () => ({ text: String, value: (value: unknown) => value }) },
  };
  const steps = settleInSteps(cached as never, executed as never, rules as unknown as SettleRules);
  let turns = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) turns += 1;
  expect(step.value.events).toHaveLength(20_000);
  // The copies, the ids, the events that are not stored and those in the result.
  expect(turns).toBeGreaterThan(4 * 150);
});
