import { expect, test } from "vitest";

import { manualClock } from "../../../model/src/process/clock.ts";
import type { Runtime } from "../api/runtime-api.ts";
import { runText, startMs } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";
import { createMemory } from "../../../store/src/memory/memory.ts";
import { testEngine } from "../engine.cases.ts";

const open = async (memory = createMemory()): Promise<Runtime> =>
  createRuntime({ memory, clock: manualClock(startMs), engine: await testEngine() });

/** A workflow that emits the events of its trigger. */
const hearing = (emitterId: string, more = ""): string =>
  `export default { name: "Hearing", trigger: { type: "event", emitterId: "${emitterId}"${more} },
    steps: [{ name: "only", run({ steps, $ }) { $.send.emit(steps.trigger.event) } }] };`;
const orders = { name: "orders", code: runText('this.$emit({ n: event.n }, { name: event.on ?? "" })') };
const heard = async (runtime: Runtime, id: string): Promise<unknown[]> =>
  (await runtime.storedEvents(id, "emits", { limit: 100 })).items
    .toReversed()
    .map(({ payload }) => JSON.parse(payload));

async function emit(runtime: Runtime, id: string, event: object): Promise<void> {
  await runtime.invoke(id, { event: JSON.parse(JSON.stringify(event)) });
  await runtime.idle();
}

test("a trigger names a source before it exists, while it exists, and after it was made again", async () => {
  await using runtime = await open();
  await runtime.start();
  const { id, nameSlug } = await runtime.workflow({ code: hearing("orders") });
  expect(nameSlug).toBe("hearing");
  expect(await runtime.findWorkflow(id)).toMatchObject({ awaitedSource: "orders" });
  expect(await runtime.subscriptions()).toEqual([]);
  // Another name is not meant.
  const other = await runtime.deploy({ ...orders, name: "orders-us" });
  await emit(runtime, other.source.id, { n: 0 });
  const first = await runtime.deploy(orders);
  await emit(runtime, first.source.id, { n: 1 });
  expect(await runtime.findWorkflow(id)).not.toHaveProperty("awaitedSource");
  // Registered again, as at each start, it is subscribed once.
  await runtime.workflow({ code: hearing("orders") });
  await emit(runtime, first.source.id, { n: 2 });
  await runtime.delete(first.source.id);
  expect(await runtime.findWorkflow(id)).toMatchObject({ awaitedSource: "orders" });
  const second = await runtime.deploy(orders);
  await emit(runtime, second.source.id, { n: 3 });
  expect(await heard(runtime, id)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("a changed or deleted trigger ends the subscription, and the wait for later sources", async () => {
  await using runtime = await open();
  await runtime.start();
  const [a, b] = [await runtime.deploy({ ...orders, name: "a" }), await runtime.deploy({ ...orders, name: "b" })];
  const { id } = await runtime.workflow({ code: hearing("a") });
  await emit(runtime, a.source.id, { n: 1 });
  await runtime.workflow({ code: hearing("b", ', eventName: "urgent"') });
  await emit(runtime, a.source.id, { n: 2 });
  await emit(runtime, b.source.id, { n: 3 });
  await emit(runtime, b.source.id, { n: 4, on: "urgent" });
  expect(await heard(runtime, id)).toEqual([{ n: 1 }, { n: 4 }]);
  // By its id it is the same source.
  await runtime.workflow({ code: hearing(b.source.id, ', eventName: "urgent"') });
  expect(await runtime.subscriptions()).toHaveLength(1);
  await runtime.workflow({ code: hearing("later") });
  await runtime.deleteWorkflow(id);
  await runtime.deploy({ ...orders, name: "later" });
  expect(await runtime.subscriptions()).toEqual([]);
});

test("a name of another user is not meant, and what is neither name nor id is refused", async () => {
  await using runtime = await open();
  await runtime.start();
  const { id } = await runtime.workflow({ code: hearing("orders") });
  const others = runtime.as((await runtime.addUser({ username: "other" })).id);
  await others.deploy(orders);
  expect([await runtime.subscriptions(), await others.subscriptions()]).toEqual([[], []]);
  expect(await runtime.findWorkflow(id)).toMatchObject({ awaitedSource: "orders" });
  for (const emitter of ["Orders", "my orders", "wh_1", "dc_none", "orders*"])
    await expect(runtime.workflow({ code: hearing(emitter) })).rejects.toMatchObject({
      code: emitter === "dc_none" ? "not_found" : "invalid_parameter",
    });
});

test("after a restart the name is looked up again", async () => {
  const memory = createMemory();
  let id = "";
  {
    await using runtime = await open(memory);
    await runtime.start();
    ({ id } = await runtime.workflow({ code: hearing("orders") }));
  }
  {
    // Without the workflow, which the program may have left out for once.
    await using runtime = await open(memory);
    await runtime.start();
    await runtime.deploy(orders);
  }
  await using runtime = await open(memory);
  await runtime.workflow({ code: hearing("orders") });
  await runtime.start();
  const [source] = (await runtime.sources({ limit: 1 })).items;
  await emit(runtime, source?.source.id ?? "", { n: 7 });
  expect(await heard(runtime, id)).toEqual([{ n: 7 }]);
});
