import { afterAll, expect, onTestFinished, test } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import type { Runtime } from "../api/runtime-api.ts";
import type { RuntimeOptions } from "../api/options.ts";
import { makeFolder, openTrial, removeFolders, runText, startMs } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";
import type { WorkflowInput } from "../api/workflow-api.ts";
import { testEngine } from "../engine.cases.ts";

afterAll(removeFolders);

const emitting = (name: string, more = ""): string =>
  `export default { name: "${name}", ${more} steps: [{ name: "only", props: { db: "$.service.db" }, run({ steps, $ }) {
    const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); $.send.emit([n, steps.trigger.event]) } }] };`;
const payloads = async (runtime: Runtime, id: string): Promise<unknown[]> =>
  (await runtime.storedEvents(id, "emits", { limit: 100 })).items
    .toReversed()
    .map(({ payload }) => JSON.parse(payload));

/** Runs one process after another on the same data. */
function processes(
  place: Pick<RuntimeOptions, "data" | "memory"> = { memory: createMemory() },
): (act: (runtime: Runtime, clock: ReturnType<typeof manualClock>) => Promise<void>) => Promise<void> {
  let now = startMs;
  return async (act) => {
    const clock = manualClock(now);
    const runtime = await createRuntime({ ...place, clock, engine: await testEngine() });
    try {
      await act(runtime, clock);
      await runtime.idle();
    } finally {
      now = clock.now();
      await runtime.close();
    }
  };
}

test("a workflow keeps id, endpoint, events, db and subscriptions over processes", async () => {
  const next = processes({ data: makeFolder() });
  const input: WorkflowInput = { code: emitting("Kept", 'trigger: { type: "http" },') };
  let before: object = {};
  let listener = "";
  await next(async (runtime) => {
    const view = await runtime.workflow(input);
    await runtime.start();
    ({ id: listener } = (await runtime.deploy({ code: runText("this.$emit({ heard: event })") })).source);
    await runtime.subscribe({ emitterId: view.id, listenerId: listener });
    await runtime.invoke(view.id, { event: "a" });
    before = view;
  });
  await next(async (runtime, clock) => {
    clock.jump(1_000);
    const view = await runtime.workflow(input);
    expect(view).toEqual(before);
    await runtime.start();
    expect(await payloads(runtime, view.id)).toEqual([[1, "a"]]);
    await runtime.invoke(view.id, { event: "b" });
    await runtime.idle();
    expect(await payloads(runtime, view.id)).toEqual([
      [1, "a"],
      [2, "b"],
    ]);
    expect(await runtime.dbEntries(view.id)).toMatchObject([{ key: "only.n", value: 2 }]);
    expect(await (await runtime.db(view.id)).get("only.n")).toBe(2);
    await expect(runtime.db("p_nobody")).rejects.toMatchObject({ code: "not_found" });
    expect(await payloads(runtime, listener)).toEqual([{ heard: [1, "a"] }, { heard: [2, "b"] }]);
  });
});

test("an unregistered workflow is inactive: its events can be read, nothing of it runs, and nothing is queued for it", async () => {
  const next = processes();
  const code = emitting("Unregistered", 'id: "p_unregistered", trigger: { type: "http" },');
  let source = "";
  await next(async (runtime) => {
    await runtime.workflow({ code });
    await runtime.start();
    ({ id: source } = (await runtime.deploy({ code: runText("this.$emit(event)") })).source);
    await runtime.subscribe({ emitterId: source, listenerId: "p_unregistered" });
    await runtime.invoke("p_unregistered", { event: 1 });
  });
  await next(async (runtime) => {
    await runtime.start();
    const view = await runtime.findWorkflow("p_unregistered");
    expect(view).toMatchObject({ id: "p_unregistered", active: false });
    const { steps, ...listed } = view;
    expect(steps).toEqual(["only"]);
    expect((await runtime.workflows({ limit: 10 })).items).toEqual([listed]);
    expect(await payloads(runtime, "p_unregistered")).toEqual([[1, 1]]);
    await runtime.invoke(source, { event: "lost" });
    for (const input of [{}, { force: true }])
      await expect(runtime.invoke("p_unregistered", input)).rejects.toMatchObject({
        code: "inactive",
        message: 'Workflow "p_unregistered" is inactive: this process has not registered it.',
      });
    const request = {
      method: "GET",
      path: "/",
      url: "http://x/",
      search: "",
      headers: [],
      body: new Uint8Array(0),
      clientIp: "",
    };
    expect((await runtime.request(view.endpointUrl?.split("/").at(-1) ?? "", request)).status).toBe(404);
    const { id: late } = (await runtime.deploy({ code: runText("this.$emit(event)") })).source;
    await runtime.subscribe({ emitterId: "p_unregistered", listenerId: late });
    await runtime.workflow({ code });
    expect((await runtime.findWorkflow("p_unregistered")).active).toBe(true);
    await runtime.invoke(source, { event: "heard" });
  });
  await next(async (runtime) => {
    expect((await payloads(runtime, "p_unregistered")).slice(1)).toEqual([[2, "heard"]]);
  });
});

test("triggers wait in the inbox until the workflow is registered, also after the start", async () => {
  const next = processes();
  const id = "p_waiting";
  await next(async (runtime) => {
    const begun = Promise.withResolvers<void>();
    await runtime.workflow({
      id,
      name: "Waiting",
      handler: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    for (const event of [1, 2, 3]) await runtime.invoke(id, { event, wait: false });
    await begun.promise;
    await runtime.close({ drainMs: 1 });
  });
  await next((runtime) => runtime.start());
  await next(async (runtime) => {
    await runtime.start();
    expect(await payloads(runtime, id)).toEqual([]);
    await runtime.workflow({ id, name: "Waiting", handler: (event, { $ }) => $.send.emit(event) });
    await runtime.idle();
    expect(await payloads(runtime, id)).toEqual([1, 2, 3]);
  });
});

test("deleting a workflow deletes its waiting triggers", async () => {
  const next = processes();
  const id = "p_deleted";
  await next(async (runtime) => {
    const begun = Promise.withResolvers<void>();
    await runtime.workflow({
      id,
      name: "Deleted",
      handler: () => {
        begun.resolve();
        return new Promise(() => undefined);
      },
    });
    await runtime.invoke(id, { event: "old", wait: false });
    await begun.promise;
    await runtime.close({ drainMs: 1 });
  });
  await next(async (runtime) => {
    await runtime.start();
    await runtime.deleteWorkflow(id);
    await runtime.workflow({ id, name: "Deleted", handler: (event, { $ }) => $.send.emit(event) });
    await runtime.invoke(id, { event: "new" });
    await runtime.idle();
    expect(await payloads(runtime, id)).toEqual(["new"]);
  });
});

test("a missed tick runs once, whether the workflow is registered before or after the start", async () => {
  for (const order of ["before", "after"]) {
    const next = processes();
    const input: WorkflowInput = {
      id: "p_timed",
      name: "Timed",
      trigger: { type: "timer", intervalSeconds: 60 },
      handler: (event, { $ }) => $.send.emit(event),
    };
    await next(async (runtime) => {
      await runtime.workflow(input);
      await runtime.start();
    });
    await next(async (runtime, clock) => {
      await runtime.start();
      clock.jump(150_000);
      await runtime.idle();
    });
    await next(async (runtime, clock) => {
      if (order === "before") await runtime.workflow(input);
      await runtime.start();
      if (order === "after") await runtime.workflow(input);
      clock.jump(0);
      await runtime.idle();
      const timestamp = startMs / 1_000 + 60;
      expect(await payloads(runtime, "p_timed"), order).toMatchObject([{ timestamp, interval_seconds: 60 }]);
      clock.jump(30_000);
      await runtime.idle();
      expect(await payloads(runtime, "p_timed")).toHaveLength(2);
    });
  }
});

test("a changed workflow is a new deployment with the same id; a failed registration keeps the old one", async () => {
  const trial = await openTrial();
  const { runtime } = trial;
  const first = await runtime.workflow({ id: "p_changed", code: emitting("Changed") });
  expect((await runtime.workflow({ id: "p_changed", code: emitting("Changed") })).deploymentId).toBe(
    first.deploymentId,
  );
  const second = await runtime.workflow({ id: "p_changed", code: emitting("Renamed", 'trigger: { type: "http" },') });
  expect(second).toMatchObject({ name: "Renamed", endpointUrl: expect.stringContaining("/in/") as string });
  expect(second.deploymentId).not.toBe(first.deploymentId);
  for (const [code, refusal] of [
    ["export default {", "bundle_failed"],
    ["export default {};", "invalid_workflow"],
    [emitting("Broken", 'trigger: { type: "event", emitterId: "dc_none" },'), "not_found"],
    [emitting("Broken", 'trigger: { type: "event", emitterId: "wh_1" },'), "invalid_parameter"],
  ] as const)
    await expect(runtime.workflow({ id: "p_changed", code })).rejects.toMatchObject({ code: refusal });
  expect(await runtime.findWorkflow("p_changed")).toEqual({ ...second, steps: ["only"] });
  await runtime.invoke("p_changed", { event: {} });
  expect(await trial.payloads("p_changed")).toEqual([[1, {}]]);
  await runtime.close();
});

test("a deleted workflow loses all its data; a new one with its name starts empty", async () => {
  const trial = await openTrial();
  const { runtime } = trial;
  const { id } = await runtime.workflow({ code: emitting("Deleted") });
  await runtime.subscribe({ emitterId: "dc_*", listenerId: id });
  await runtime.invoke(id);
  await runtime.deleteWorkflow(id);
  await expect(runtime.findWorkflow(id)).rejects.toMatchObject({ code: "not_found" });
  await expect(runtime.storedEvents(id, "emits", { limit: 1 })).rejects.toMatchObject({ code: "not_found" });
  expect(await runtime.subscriptions()).toEqual([]);
  expect((await runtime.workflow({ code: emitting("Deleted") })).id).toBe(id);
  await runtime.invoke(id);
  expect(await trial.payloads(id)).toEqual([[1, {}]]);
  await runtime.close();
});

test("workflows belong to their user: ids of others are not found, the same name has another id", async () => {
  const trial = await openTrial();
  const { runtime } = trial;
  const other = await runtime.addUser({ username: "other" });
  const mine = await runtime.workflow({ code: emitting("Shared") });
  const theirs = await runtime.as(other.id).workflow({ code: emitting("Shared") });
  expect(theirs.id).not.toBe(mine.id);
  const notFound = { code: "not_found" };
  await expect(runtime.as(other.id).findWorkflow(mine.id)).rejects.toMatchObject(notFound);
  await expect(runtime.as(other.id).invoke(mine.id, {})).rejects.toMatchObject(notFound);
  await expect(runtime.as(other.id).deleteWorkflow(mine.id)).rejects.toMatchObject(notFound);
  await expect(runtime.as(other.id).storedEvents(mine.id, "emits", { limit: 1 })).rejects.toMatchObject(notFound);
  await expect(runtime.as(other.id).workflow({ id: mine.id, code: emitting("Shared") })).rejects.toMatchObject(
    notFound,
  );
  expect((await runtime.as(other.id).workflows({ limit: 10 })).items.map(({ id }) => id)).toEqual([theirs.id]);
  await runtime.close();
});

test("a step that loops or exhausts memory does not stop its neighbours", async () => {
  const trial = await openTrial({ workers: 2 });
  const { runtime } = trial;
  const hostile = async (body: string, runTimeoutMs: number): Promise<string> => {
    const code = `export default { name: ${JSON.stringify(body)}, steps: [{ name: "bad", run({ $ }) { $.send.emit("before"); ${body} } }] };`;
    const settings = { runTimeoutMs, memoryBytes: 32 * 1024 * 1024 };
    return (await runtime.workflow({ code, settings })).id;
  };
  const neighbour = await runtime.workflow({ code: emitting("Neighbour") });
  const [loop, eater] = [
    await hostile("for (;;);", 300),
    // Long enough for the first event on a busy machine.
    await hostile("const a = []; for (;;) a.push(new Uint8Array(1e6));", 30_000),
  ];
  const runs = [loop, eater].map((id) => runtime.invoke(id));
  expect((await runtime.invoke(neighbour.id)).status).toBe("ok");
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(["timeout", "out_of_memory"]);
  expect([await trial.payloads(loop), await trial.payloads(eater)]).toEqual([["before"], ["before"]]);
  await runtime.close();
});

test("the later of two concurrent registrations wins, even when the first takes longer", async () => {
  const { runtime, payloads: payloadsOf } = await openTrial();
  const id = "p_twice";
  await Promise.all([
    runtime.workflow({ id, code: emitting("First") }),
    runtime.workflow({ id, name: "Second", handler: (_event, { $ }) => $.send.emit("second") }),
  ]);
  await runtime.invoke(id);
  expect(await payloadsOf(id)).toEqual(["second"]);
  await runtime.close();
});

test("a workflow may subscribe to itself at its first registration; the loop ends", async () => {
  const { runtime, payloads: payloadsOf } = await openTrial();
  const trigger = { type: "event", emitterId: "p_itself" } as const;
  await runtime.workflow({ id: "p_itself", name: "Itself", trigger, handler: (_event, { $ }) => $.send.emit(1) });
  await runtime.invoke("p_itself");
  await runtime.idle();
  expect(await payloadsOf("p_itself")).toHaveLength(11);
  expect(await payloadsOf("p_itself", "$errors")).toMatchObject([{ error: { code: "subscription_loop" } }]);
  await runtime.close();
});

test("S45 a cron trigger whose two days must match warns with its next ticks, at each registration", async () => {
  const { runtime } = await openTrial();
  onTestFinished(() => runtime.close());
  const of = (cron: string): WorkflowInput => ({
    name: "Cron",
    trigger: { type: "timer", cron },
    code: emitting("Cron"),
  });
  const { id, warnings } = await runtime.workflow(of("0 9 13 * 5"));
  expect(warnings).toEqual([
    {
      rule: "cron-day-and-weekday",
      path: "/trigger/cron",
      message: expect.stringMatching(
        /^"0 9 13 \* 5" ticks only on days that match both .*, next (?:\S+ 09:00(?:, )?){3} \(UTC\)/,
      ) as string,
    },
  ]);
  expect((await runtime.findWorkflow(id)).warnings).toEqual(warnings);
  for (const cron of ["0 9 13 * *", "0 9 * * 5"])
    expect(await runtime.workflow(of(cron))).not.toHaveProperty("warnings");
});
