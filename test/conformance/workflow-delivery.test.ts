import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import { type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { component, type Data, type Service, startService } from "./fixture.ts";
import { createWorkflowTrial, echo, oneStep, type WorkflowTrial } from "./workflow-fixture.ts";

let service: Service;
let trial: WorkflowTrial;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
  trial = createWorkflowTrial(service);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver.close();
});

const emitting = component({ name: "Emitting", run: "this.$emit(event)" });
const throwing = component({ name: "Throwing", run: 'throw new RangeError("on purpose")' });

const webhook = async (path: string): Promise<string> => {
  const query = new URLSearchParams({ url: receiver.url + path }).toString();
  return (await service.call<Data<{ id: string }>>("POST", `/webhooks?${query}`)).body.data.id;
};
const subscriptionsOf = async (id: string): Promise<object[]> =>
  (await service.runtime.subscriptions())
    .filter(({ emitterId, listenerId }) => emitterId === id || listenerId === id)
    .map(({ emitterId, listenerId, eventName }) => ({ emitterId, listenerId, eventName }));

test("R129 a workflow can listen to the default stream, $errors and $logs of another", async () => {
  const emitter = await trial.register({ code: oneStep(`${echo}; console.log("l"); throw new Error("e")`, "") });
  const hear = async (eventName: string): Promise<() => Promise<(Json | undefined)[]>> => {
    const { id } = await trial.echoing();
    await trial.subscribe(emitter.id, id, eventName);
    return () => trial.shown(id);
  };
  const [plain, errors, logs] = [await hear("default"), await hear("$errors"), await hear("$logs")];
  await trial.runAll(emitter.id, 1);
  expect(await plain()).toEqual([{ raw_event: { got: { got: 1 } } }]);
  expect(await errors()).toMatchObject([{ raw_event: { got: { error: { msg: "e" } } } }]);
  expect(await logs()).toMatchObject([{ raw_event: { got: { msg: "l" } } }, { raw_event: { got: { k: "err" } } }]);
});

test("R102 an auto-subscription applies to workflows registered later, once for each", async () => {
  const listener = await service.deploy(component({ name: "All of them", run: "this.$emit({ got: event })" }));
  const before = await trial.echoing();
  await service.runtime.autoSubscribe({ listenerId: listener.id, eventName: "auto" });
  const after = await trial.register({ code: oneStep('$.send.emit(1, { name: "auto" })', "") });
  const subscription = { emitterId: after.id, listenerId: listener.id, eventName: "auto" };
  expect(await subscriptionsOf(after.id)).toEqual([subscription]);
  expect(await subscriptionsOf(before.id)).toEqual([]);
  await service.runtime.unsubscribe(subscription);
  await service.runtime.workflow({ id: after.id, name: "Again", code: oneStep("return 1", "") });
  expect(await subscriptionsOf(after.id)).toEqual([]);
  await service.runtime.removeAutoSubscription({ listenerId: listener.id, eventName: "auto" });
});

test("R100 the glob p_* matches workflows only", async () => {
  const listener = await service.deploy(component({ name: "All of them", run: "this.$emit({ got: event })" }));
  const before = await trial.echoing();
  expect((await trial.subscribe("p_*", listener.id)).status).toBe(200);
  await trial.runAll((await service.deploy(emitting)).id, "of a source");
  await trial.runAll(before.id, "of a workflow");
  expect(await service.emitted(listener.id)).toEqual([{ got: { got: "of a workflow" } }]);
  await service.runtime.unsubscribe({ emitterId: "p_*", listenerId: listener.id });
});

test("G20 sources, workflows and webhooks can listen to a workflow, and get the raw payload", async () => {
  const [first, second] = [await trial.echoing(), await trial.echoing()];
  const source = await service.deploy(component({ name: "Hearing", run: "this.$emit({ source: event })" }));
  const url = receiver.on("/raw", (response) => response.writeHead(204).end());
  expect(url).toContain("/raw");
  for (const listener of [second.id, source.id, await webhook("/raw")])
    expect((await trial.subscribe(first.id, listener)).status).toBe(200);
  await trial.runAll(first.id, { n: 1 });
  expect(await trial.shown(second.id)).toEqual([{ raw_event: { got: { got: { n: 1 } } } }]);
  expect(await service.emitted(source.id)).toEqual([{ source: { got: { n: 1 } } }]);
  expect(receiver.bodies("/raw")).toEqual(['{"got":{"n":1}}']);
});

test("R105 a workflow can have many emitters and many listeners", async () => {
  const [first, second] = [await trial.echoing(), await trial.echoing()];
  const [a, b] = [await service.deploy(emitting), await service.deploy(emitting)];
  for (const emitter of [a, b]) {
    for (const listener of [first, second]) expect((await trial.subscribe(emitter.id, listener.id)).status).toBe(200);
    await service.run(emitter.id, emitter.id);
  }
  const expected = [a, b].map(({ id }) => ({ raw_event: { got: id } }));
  expect([await trial.shown(first.id), await trial.shown(second.id)]).toEqual([expected, expected]);
});

test("R131 a webhook receives the errors of a workflow without another workflow", async () => {
  const { id } = await trial.register({ code: oneStep('throw new Error("heard")', "") });
  await trial.subscribe(id, await webhook("/errors"), "$errors");
  await trial.runAll(id);
  expect(receiver.bodies("/errors").map((body) => JSON.parse(body) as object)).toMatchObject([
    { error: { code: "Error", cellId: "c_only", msg: "heard" } },
  ]);
});

test("G19 a listener never gets its own events through a glob", async () => {
  const { id } = await trial.echoing();
  await trial.subscribe("p_*", id);
  await trial.runAll(id, "once");
  expect(await trial.shown(id)).toEqual([{ raw_event: { got: "once" } }]);
  await service.runtime.unsubscribe({ emitterId: "p_*", listenerId: id });
});

test("G21 two workflows that listen to each other stop after ten hops with subscription_loop", async () => {
  const [a, b] = [await trial.echoing(), await trial.echoing()];
  await trial.subscribe(a.id, b.id);
  await trial.subscribe(b.id, a.id);
  await trial.runAll(a.id);
  const emits = (await trial.events(a.id)).length + (await trial.events(b.id)).length;
  expect(emits).toBe(11);
  const errors = [...(await trial.shown(a.id, "$errors/")), ...(await trial.shown(b.id, "$errors/"))];
  expect(errors).toMatchObject([{ error: { code: "subscription_loop" } }]);
});

test("G62 an error in a listener of errors is stored, and triggers nothing", async () => {
  const source = await service.deploy(throwing);
  const listener = await trial.register({ code: oneStep('throw new Error("in the listener")', "") });
  const last = await trial.echoing();
  await trial.subscribe(source.id, listener.id, "$errors");
  await trial.subscribe(listener.id, last.id, "$errors");
  await service.run(source.id);
  expect(await trial.shown(listener.id, "$errors/")).toMatchObject([
    { original_event: { error: { code: "RangeError" } }, original_context: { source_type: "SUBSCRIPTION" } },
  ]);
  expect(await trial.events(last.id)).toEqual([]);
  await trial.runAll(listener.id);
  expect(await trial.events(last.id)).toHaveLength(1);
});

test("R099 an event trigger is a subscription, and a registration with another trigger deletes it", async () => {
  const source = await service.deploy(throwing);
  const trigger = { type: "event", emitterId: source.id, eventName: "$errors" } as const;
  const { id } = await trial.echoing({ trigger });
  expect(await subscriptionsOf(id)).toEqual([{ emitterId: source.id, listenerId: id, eventName: "$errors" }]);
  await service.run(source.id);
  expect(await trial.shown(id)).toMatchObject([{ raw_event: { got: { error: { code: "RangeError" } } } }]);
  await trial.subscribe("dc_*", id, "other");
  await trial.echoing({ id, trigger: { type: "event", emitterId: "dc_*" } });
  expect(await subscriptionsOf(id)).toHaveLength(2);
  expect(await subscriptionsOf(source.id)).toEqual([]);
  await trial.echoing({ id });
  expect(await subscriptionsOf(id)).toEqual([{ emitterId: "dc_*", listenerId: id, eventName: "other" }]);
  const missing = { type: "event", emitterId: "dc_unknown" } as const;
  await expect(trial.echoing({ trigger: missing })).rejects.toMatchObject({ code: "not_found" });
  await service.runtime.deleteWorkflow(id);
});
