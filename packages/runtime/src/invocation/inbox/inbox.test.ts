import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  openTrial,
  runText,
  settleTurns,
  type Trial,
} from "../../runtime.cases.ts";

let trial: Trial;
const gate = createGate();
beforeAll(async () => {
  trial = await openTrial({ accounts: gate.accounts, limits: { inboxPerSource: 3 } });
});
afterAll(() => trial.runtime.close());

const echo = runText(`this.$emit(event)`);
const gated = runText(`this.$emit(event)`, `props: { ${gatedProp} },`);

describe("run now", () => {
  it("S2 3.10 waits for the run and resolves with its result", async () => {
    const { source } = await trial.deploy(runText(`this.$emit(event.n, { summary: "S" }); console.log("x"); return 5`));
    const execution = await trial.runtime.invoke(source.id, { event: { n: 1 } });
    expect(execution).toMatchObject({
      status: "ok",
      emitted: [{ summary: "S" }],
      deduped: 0,
      response: null,
      logs: [{ msg: "x" }],
      error: null,
    });
    expect(execution.executionId).toMatch(/^[0-9A-Za-z]{27}$/);
    expect(Number.isInteger(execution.durationMs)).toBe(true);
  });

  it("S2 wait false answers queued with the id that the run then has", async () => {
    const { source } = await trial.deploy(runText(`console.log("ran")`));
    const queued = await trial.runtime.invoke(source.id, { wait: false });
    expect(queued).toMatchObject({ status: "queued", emitted: [], error: null });
    await trial.runtime.idle();
    expect(await trial.payloads(source.id, "$logs")).toMatchObject([{ execution_id: queued.executionId }]);
  });

  it("3.10 an inactive source refuses, unless forced", async () => {
    const { source } = await trial.deploy(echo);
    await trial.runtime.update(source.id, { active: false });
    await expect(trial.runtime.invoke(source.id)).rejects.toMatchObject({ code: "inactive" });
    expect(await trial.runtime.invoke(source.id, { force: true, event: 1 })).toMatchObject({ status: "ok" });
    expect(await trial.payloads(source.id)).toEqual([1]);
  });

  it("G26 the default event is a timer event for a source with a timer, else an empty object", async () => {
    const plain = await trial.deploy(echo);
    const timed = await trial.deploy(
      componentText(
        `props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } }, run(event) { this.$emit(event) },`,
      ),
    );
    for (const { source } of [plain, timed]) await trial.runtime.invoke(source.id);
    expect(await trial.payloads(plain.source.id)).toEqual([{}]);
    expect(await trial.payloads(timed.source.id)).toEqual([
      { timestamp: Math.floor(trial.clock.now() / 1_000), interval_seconds: 60 },
    ]);
  });

  it("S2 a run that throws resolves with the error", async () => {
    const { source } = await trial.deploy(runText(`throw new RangeError("far")`));
    expect(await trial.runtime.invoke(source.id)).toMatchObject({
      status: "error",
      error: { code: "component_threw", name: "RangeError", message: "far" },
    });
  });

  it("someone else's source is not found", async () => {
    const { source } = await trial.deploy(echo);
    await expect(trial.runtime.as("u_other").invoke(source.id, {})).rejects.toMatchObject({ code: "not_found" });
    await expect(trial.runtime.as("u_other").db(source.id)).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the inbox", () => {
  it("G40 runs of a source run one after another in order of arrival", async () => {
    const { source } = await trial.deploy(
      runText(
        `const n = this.db.get("n") ?? 0; await new Promise((done) => setTimeout(done, 5)); this.db.set("n", n + 1); this.$emit([event, n])`,
        `props: { db: "$.service.db" },`,
      ),
    );
    await Promise.all(["a", "b", "c"].map((event) => trial.runtime.invoke(source.id, { event })));
    expect(await trial.payloads(source.id)).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
  });

  it("G40 runs of other sources do not wait", async () => {
    const held = await trial.deploy(gated, gatedValue);
    const free = await trial.deploy(echo);
    gate.close();
    const waiting = trial.runtime.invoke(held.source.id, { event: 1 });
    expect(await trial.runtime.invoke(free.source.id, { event: 2 })).toMatchObject({ status: "ok" });
    expect(await trial.payloads(held.source.id)).toEqual([]);
    gate.open();
    expect(await waiting).toMatchObject({ status: "ok" });
  });

  it("a full inbox refuses with queue_full, and accepts again after a run", async () => {
    const { source } = await trial.deploy(gated, gatedValue);
    gate.close();
    const runs = [1, 2, 3].map((event) => trial.runtime.invoke(source.id, { event }));
    await settleTurns();
    await expect(trial.runtime.invoke(source.id, { event: 4 })).rejects.toMatchObject({
      code: "queue_full",
      details: { retryAfterSeconds: 1 },
    });
    gate.open();
    await Promise.all(runs);
    await trial.runtime.invoke(source.id, { event: 5 });
    expect(await trial.payloads(source.id)).toEqual([1, 2, 3, 5]);
  });

  it("an update waits for the runs before it, and runs after it have the new code", async () => {
    const text = (mark: string): string => runText(`this.$emit("${mark} " + event)`, `props: { ${gatedProp} },`);
    const { source } = await trial.deploy(text("old"), gatedValue);
    gate.close();
    const first = trial.runtime.invoke(source.id, { event: 1 });
    await settleTurns();
    // Saved before, so that the update has nothing to do but to wait.
    const { id } = await trial.runtime.saveComponent({ code: text("new") });
    const updated = trial.runtime.update(source.id, { componentId: id });
    await settleTurns();
    const second = trial.runtime.invoke(source.id, { event: 2 });
    await settleTurns();
    gate.open();
    await Promise.all([first, updated, second]);
    expect(await trial.payloads(source.id)).toEqual(["old 1", "new 2"]);
  });

  it("idle resolves when nothing runs any more", async () => {
    const { source } = await trial.deploy(gated, gatedValue);
    gate.close();
    await trial.runtime.invoke(source.id, { wait: false, event: 1 });
    const order: string[] = [];
    const idle = trial.runtime.idle().then(() => order.push("idle"));
    await settleTurns();
    order.push("opened");
    gate.open();
    await idle;
    expect(order).toEqual(["opened", "idle"]);
    expect(await trial.payloads(source.id)).toEqual([1]);
  });
});

it("a change of a source runs before its waiting runs", async () => {
  const held = createGate();
  const own = await openTrial({ accounts: held.accounts });
  try {
    const text = (mark: string): string => runText(`this.$emit("${mark} " + event)`, `props: { ${gatedProp} },`);
    const { source } = await own.deploy(text("old"), gatedValue);
    const { id } = await own.runtime.saveComponent({ code: text("new") });
    held.close();
    const first = own.runtime.invoke(source.id, { event: 1 });
    await settleTurns();
    const second = own.runtime.invoke(source.id, { event: 2 });
    await settleTurns();
    const updated = own.runtime.update(source.id, { componentId: id });
    await settleTurns();
    held.open();
    await Promise.all([first, second, updated]);
    expect(await own.payloads(source.id)).toEqual(["old 1", "new 2"]);
  } finally {
    await own.runtime.close();
  }
});
