import { afterEach, expect, it } from "vitest";

import type { Memory } from "../../../store/src/contract.ts";
import { testEngineWithin } from "../engine.cases.ts";
import { manualClock } from "../../../model/src/process/clock.ts";
import { componentText, createGate, gatedProp, gatedValue, startMs, type Trial, trialOf } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";

const started: Trial[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ runtime }) => runtime.close({ drainMs: 0 })));
});

/** A process on these records. `begun` waits for a run, which then never ends, as before a crash. */
async function openProcess(memory: Memory, executionsPerSource: number): Promise<Trial & { begun(): Promise<void> }> {
  const clock = manualClock(startMs);
  const gate = createGate();
  let begun = Promise.withResolvers<void>();
  const accounts = (): Promise<object> => {
    begun.resolve();
    return gate.accounts();
  };
  const engine = await testEngineWithin({ executionsPerSource });
  const runtime = await createRuntime({ memory, clock, engine, accounts });
  await runtime.start();
  const trial = {
    ...trialOf(runtime, clock),
    begun() {
      gate.close();
      begun = Promise.withResolvers();
      return begun.promise;
    },
  };
  started.push(trial);
  return trial;
}

const code = componentText(
  `props: { ${gatedProp}, token: { type: "string", secret: true } }, run(event) { this.$emit(event) },`,
);

/** A process after three that ended during the same run. */
async function afterThreeCrashes(
  executionsPerSource = 100,
): Promise<{ trial: Trial; sourceId: string; runId: string }> {
  const memory = createMemory();
  const first = await openProcess(memory, executionsPerSource);
  const { source } = await first.deploy(code, { ...gatedValue, token: "sesame-1234" });
  const held = first.begun();
  const { executionId } = await first.runtime.invoke(source.id, { event: { key: "sesame-1234" }, wait: false });
  await held;
  // The others begin the run and end at once.
  for (let crash = 2; crash <= 3; crash++) {
    const store = memory.open();
    expect((await store.recoverTriggers()).map(({ crashes }) => crashes)).toEqual([crash - 1]);
    await store.commit([{ op: "trigger.start", id: executionId }]);
  }
  return { trial: await openProcess(memory, executionsPerSource), sourceId: source.id, runId: executionId };
}

it("S24 a trigger that is abandoned after three crashes has a failed execution with its event and reason", async () => {
  const { trial, sourceId, runId } = await afterThreeCrashes();
  const { items } = await trial.runtime.storedExecutions(sourceId, { limit: 10, status: "failed" });
  const error = { code: "trigger_abandoned", message: expect.stringContaining("3") as string };
  expect(items).toMatchObject([{ id: runId, type: "MANUAL", entry: "run", status: "error", callCount: 0, error }]);
  const found = await trial.runtime.execution(runId);
  expect(found.commitMs).toEqual(expect.any(Number));
  expect(found.detail).toMatchObject({ event: '{"key":"***"}', eventMasked: true, emitted: [], error });
  expect(await trial.payloads(sourceId, "$errors")).toMatchObject([{ error: { code: "trigger_abandoned" } }]);
  await expect(trial.runtime.replay(runId)).rejects.toMatchObject({ code: "not_replayable" });
  await trial.runtime.replay(runId, { event: { key: "open" } });
  await trial.runtime.idle();
  expect(await trial.payloads(sourceId)).toEqual([{ key: "open" }]);
});

it("a trigger is abandoned without an execution where none are stored", async () => {
  const { trial, sourceId } = await afterThreeCrashes(0);
  expect(await trial.runtime.storedExecutions(sourceId, { limit: 10 })).toEqual({ totalCount: 0, items: [] });
  expect(await trial.payloads(sourceId, "$errors")).toMatchObject([{ error: { code: "trigger_abandoned" } }]);
});
