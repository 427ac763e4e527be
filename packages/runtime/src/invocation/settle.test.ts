import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ limits: { retention: 10 } });
});
afterAll(() => trial.runtime.close());

describe("the order of events", () => {
  it("T1 R124 G45 by ts, oldest first; one without or with a bad ts counts as emitted now", async () => {
    const { source } = await trial.deploy(
      runText(
        `this.$emit("n"); this.$emit("old", { ts: 10 }); this.$emit("date", { ts: new Date(5) });
         this.$emit("iso", { ts: "1970-01-01T00:00:00.020Z" }); this.$emit("nan", { ts: NaN });`,
      ),
    );
    const execution = await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual(["date", "old", "iso", "n", "nan"]);
    expect(execution.logs).toMatchObject([{ k: "console.warn", msg: expect.stringContaining("NaN") }]);
    const stored = await trial.stored(source.id);
    expect(stored.map(({ ts }) => ts)).toEqual([5, 10, 20, undefined, undefined]);
  });

  it("T2 R017 equal times keep their order, and ids rise", async () => {
    const { source } = await trial.deploy(runText(`for (const n of [1, 2, 3]) this.$emit(n, { ts: 7 });`));
    await trial.runtime.invoke(source.id);
    const stored = await trial.stored(source.id);
    expect(stored.map(({ payload }) => payload)).toEqual(["1", "2", "3"]);
    expect(stored.map(({ id }) => id)).toEqual([0, 1, 2].map((seq) => `${trial.clock.now()}-${seq}`));
  });
});

describe("a run that fails", () => {
  const throws = runText(
    `this.$emit("kept"); this.db.set("n", 1); console.log("said"); throw new TypeError("late")`,
    `props: { db: "$.service.db" },`,
  );

  it("G43 keeps the emits and db writes before the throw, and adds one error record", async () => {
    const { source } = await trial.deploy(throws);
    const execution = await trial.runtime.invoke(source.id, { event: { given: 1 } });
    expect(execution).toMatchObject({
      status: "error",
      emitted: [{}],
      error: { code: "component_threw", name: "TypeError", message: "late" },
    });
    expect(await trial.payloads(source.id)).toEqual(["kept"]);
    expect(await (await trial.runtime.db(source.id)).get("n")).toBe(1);
    const errors = (await trial.payloads(source.id, "$errors")) as { [field: string]: Json }[];
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      original_event: { given: 1 },
      original_context: {
        id: execution.executionId,
        ts: new Date(trial.clock.now()).toISOString(),
        workflow_id: source.id,
        deployment_id: source.deploymentId,
        source_type: "MANUAL",
        verified: false,
        owner_id: source.userId,
      },
      error: { code: "TypeError", cellId: "c_run", msg: "late" },
    });
  });

  it("4.2 transactional drops both, but keeps the error record and the logs", async () => {
    const { source } = await trial.deploy(throws, {}, { settings: { transactional: true } });
    const execution = await trial.runtime.invoke(source.id);
    expect(execution.emitted).toEqual([]);
    expect(await trial.payloads(source.id)).toEqual([]);
    expect(await (await trial.runtime.db(source.id)).get("n")).toBeUndefined();
    expect(await trial.payloads(source.id, "$errors")).toHaveLength(1);
    expect(await trial.log(source.id)).toEqual(["said"]);
  });

  it("S24 keeps the effects from before the timeout", async () => {
    const { source } = await trial.deploy(
      runText(`this.$emit("before"); this.db.set("n", 1); for (;;) {}`, `props: { db: "$.service.db" },`),
      {},
      { settings: { runTimeoutMs: 50 } },
    );
    const execution = await trial.runtime.invoke(source.id);
    expect(execution).toMatchObject({ status: "timeout", error: { code: "sandbox_timeout", name: "sandbox_timeout" } });
    expect(await trial.payloads(source.id)).toEqual(["before"]);
    expect(await (await trial.runtime.db(source.id)).get("n")).toBe(1);
    expect(await trial.payloads(source.id, "$errors")).toMatchObject([{ error: { code: "sandbox_timeout" } }]);
  });
});

describe("records", () => {
  it("3.7 a log record has its kind, time, text, data and execution", async () => {
    const { source } = await trial.deploy(
      runText(`console.error("bad %s", "luck", { a: [1] }); console.warn(undefined, () => 1, 3n);`),
    );
    const execution = await trial.runtime.invoke(source.id);
    const logs = await trial.payloads(source.id, "$logs");
    expect(logs).toEqual(execution.logs);
    expect(logs).toEqual([
      {
        k: "console.error",
        ts: trial.clock.now(),
        msg: "bad luck { a: [ 1 ] }",
        data: ["bad %s", "luck", { a: [1] }],
        execution_id: execution.executionId,
      },
      {
        k: "console.warn",
        ts: trial.clock.now(),
        msg: "undefined [Function (anonymous)] 3n",
        data: ["undefined", "[Function (anonymous)]", "3n"],
        execution_id: execution.executionId,
      },
    ]);
  });

  it("3.7 an error is a record of kind err", async () => {
    const { source } = await trial.deploy(runText(`throw new RangeError("no")`));
    const execution = await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id, "$logs")).toMatchObject([
      { k: "err", err: { name: "RangeError", message: "no" }, execution_id: execution.executionId },
    ]);
  });

  it("3.5 every stream keeps only the newest events, and ids continue", async () => {
    const { source } = await trial.deploy(runText(`for (const n of event) { this.$emit(n); console.log(n); }`));
    for (let run = 0; run < 8; run++) {
      const list = Array.from({ length: 10 }, (_, index) => run * 10 + index);
      await trial.runtime.invoke(source.id, { event: list });
    }
    const kept = Array.from({ length: 10 }, (_, index) => 70 + index);
    expect(await trial.payloads(source.id)).toEqual(kept);
    expect(await trial.log(source.id)).toEqual(kept.map(String));
    const page = await trial.runtime.storedEvents(source.id, "emits", { limit: 3 });
    expect([page.totalCount, page.items.length]).toEqual([10, 3]);
    expect(page.items[0]?.id).toMatch(/-79$/);
  });

  it("4.2 summaries are texts, cut at a thousand characters; channels are names", async () => {
    const { source } = await trial.deploy(
      runText(`this.$emit(1, { summary: 12, name: "c" }); this.$emit(2, { summary: "s".repeat(2_000) });`),
    );
    const execution = await trial.runtime.invoke(source.id);
    const stored = await trial.stored(source.id);
    expect(stored.map(({ summary, name }) => [summary?.length, name])).toEqual([
      [2, "c"],
      [1_000, ""],
    ]);
    expect(execution.emitted[0]).toEqual({ id: `${trial.clock.now()}-0`, summary: "12" });
  });

  it("3.11 usage counts invocations and compute time of the UTC day", async () => {
    const { source } = await trial.deploy(runText(`for (let i = 0; i < 1e5; i++);`));
    const before = await trial.runtime.user();
    await trial.runtime.invoke(source.id);
    await trial.runtime.invoke(source.id);
    const after = await trial.runtime.user();
    expect(after.dailyInvocationsUsed - before.dailyInvocationsUsed).toBe(2);
    expect(after.dailyComputeTimeUsed - before.dailyComputeTimeUsed).toBeGreaterThanOrEqual(2);
    await trial.advance(24 * 3_600_000);
    expect((await trial.runtime.user()).dailyInvocationsUsed).toBe(0);
  });

  it("4.2 the payload is a snapshot at the time of the call", async () => {
    const { source } = await trial.deploy(
      runText(
        `const value = { n: 1, at: new Date(0), none: undefined }; this.$emit(value); value.n = 2; this.$emit(); await null; value.n = 3;`,
      ),
    );
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual([{ n: 1, at: "1970-01-01T00:00:00.000Z" }, null]);
  });

  it.each([
    ["a BigInt", "{ a: [1, { b: 3n }] }", "event.a[1].b is a BigInt, which JSON cannot hold"],
    [
      "a cycle",
      "(() => { const o = { a: {} }; o.a.o = o; return o })()",
      "event.a.o refers back to an object that contains it",
    ],
    ["a function", "() => 1", "event is a function, which JSON cannot hold"],
  ])("4.2 %s throws at the call and names the path", async (_what, value, message) => {
    const { source } = await trial.deploy(runText(`this.$emit(${value})`));
    const { error } = await trial.runtime.invoke(source.id);
    expect(error).toMatchObject({ name: "EmitSerializationError", message });
  });
});

describe("a run that emits more events than are kept", () => {
  it("R103 listeners receive every event, also those beyond the retention", async () => {
    const listener = await trial.deploy(
      runText(`this.db.set("n", (this.db.get("n") ?? 0) + 1)`, `props: { db: "$.service.db" },`),
    );
    const emitter = await trial.deploy(runText(`for (let n = 0; n < 25; n++) this.$emit(n)`));
    await trial.runtime.subscribe({ emitterId: emitter.source.id, listenerId: listener.source.id });
    await trial.runtime.invoke(emitter.source.id);
    await trial.runtime.idle();
    expect(await (await trial.runtime.db(listener.source.id)).get("n")).toBe(25);
    expect(await trial.payloads(emitter.source.id)).toEqual(Array.from({ length: 10 }, (_, n) => n + 15));
  });
});

describe("a component that changes built-ins", () => {
  it("S24 keeps the effects of a run with a malformed log and error", async () => {
    const { source } = await trial.deploy(
      runText(
        `this.$emit("kept"); Array.prototype.toJSON = () => undefined; console.log("said");
         const last = { toJSON: 0 }; Object.prototype.toJSON = () => ({ ...last, error: { ...last, name: 1, message: last } }); throw new Error("late")`,
        `props: { key: { type: "string", secret: true } },`,
      ),
      { key: "a-long-secret" },
    );
    const execution = await trial.runtime.invoke(source.id);
    expect(execution).toMatchObject({ status: "error", error: { code: "component_threw" }, emitted: [{}] });
    expect(await trial.payloads(source.id)).toEqual(["kept"]);
  });
});
