import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import { type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import {
  component,
  type Data,
  type ErrorBody,
  type Reply,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

interface SubscriptionBody {
  readonly id: string;
  readonly emitter_id: string;
  readonly listener_id: string;
  readonly event_name: string;
}

let service: Service;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver.close();
});

const emitting = component({ name: "Emitting", run: "this.$emit(event.data, { name: event.channel })" });
const echoing = component({ name: "Echoing", run: "this.$emit({ got: event })" });
const throwing = component({ name: "Throwing", run: 'throw new RangeError("on purpose")' });

const query = (values: { [name: string]: string }): string => new URLSearchParams(values).toString();
const subscribe = (
  emitter_id: string,
  listener_id: string,
  event_name?: string,
): Promise<Reply<Data<SubscriptionBody> & ErrorBody>> =>
  service.call(
    "POST",
    `/subscriptions?${query({ emitter_id, listener_id, ...(event_name !== undefined && { event_name }) })}`,
  );
const unsubscribe = (values: { [name: string]: string }): Promise<Reply<ErrorBody>> =>
  service.call("DELETE", `/subscriptions?${query(values)}`);
const list = async (): Promise<readonly SubscriptionBody[]> =>
  (await service.call<Data<SubscriptionBody[]>>("GET", "/users/me/subscriptions")).body.data;
const listOf = async (id: string): Promise<readonly SubscriptionBody[]> =>
  (await list()).filter((each) => each.emitter_id === id || each.listener_id === id);

async function createWebhook(path: string): Promise<string> {
  const reply = await service.call<Data<{ id: string }>>("POST", `/webhooks?${query({ url: receiver.url + path })}`);
  return reply.body.data.id;
}

async function pair(emitter = emitting, listener = echoing): Promise<[SourceBody, SourceBody]> {
  return [await service.deploy(emitter), await service.deploy(listener)];
}
/** Runs a source, and all runs and deliveries that follow. */
async function runAll(id: string, event: Json = {}): Promise<void> {
  await service.run(id, event);
  await service.runtime.idle();
}

test("R099 POST /subscriptions answers 200 with the subscription, and adds it to the list", async () => {
  const [emitter, listener] = await pair();
  const reply = await subscribe(emitter.id, listener.id, "$errors");
  expect([reply.status, Object.keys(reply.body)]).toEqual([200, ["data"]]);
  const asked = { emitter_id: emitter.id, listener_id: listener.id, event_name: "$errors" };
  expect(reply.body.data).toMatchObject(asked);
  expect(await listOf(emitter.id)).toEqual([reply.body.data]);
});

test("R014 a subscription shows its four fields; event_name is empty when not given", async () => {
  const [emitter, listener] = await pair();
  const reply = await subscribe(emitter.id, listener.id);
  const shown = {
    id: expect.stringMatching(/^sub_/) as string,
    emitter_id: emitter.id,
    listener_id: listener.id,
    event_name: "",
  };
  expect(reply.body.data).toEqual(shown);
  expect(await listOf(emitter.id)).toEqual([shown]);
});

test("R099 emitter_id and listener_id are required", async () => {
  const [emitter, listener] = await pair();
  for (const values of [{ emitter_id: emitter.id }, { listener_id: listener.id }, {}]) {
    const reply = await service.call("POST", `/subscriptions?${query(values)}`);
    expect([reply.status, reply.body.code]).toEqual([400, "missing_parameter"]);
  }
});

test("3.1 parameters may come in a JSON body; the query wins", async () => {
  const [emitter, listener] = await pair();
  const body = { emitter_id: emitter.id, listener_id: listener.id, event_name: "from-body" };
  const inBody = await service.call<Data<SubscriptionBody>>("POST", "/subscriptions", body);
  expect(inBody.body.data.event_name).toBe("from-body");
  const both = await service.call<Data<SubscriptionBody>>("POST", "/subscriptions?event_name=$errors", body);
  expect(both.body.data.event_name).toBe("$errors");
  const typo = await service.call("POST", "/subscriptions", { ...body, event: "x" });
  expect([typo.status, typo.body.code]).toEqual([400, "invalid_parameter"]);
});

test("G15 repeating the same triple returns the existing subscription, also concurrently", async () => {
  const [emitter, listener] = await pair();
  const replies = await Promise.all([1, 2, 3].map(() => subscribe(emitter.id, listener.id, "$logs")));
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await listOf(emitter.id)).toHaveLength(1);
  const other = await subscribe(emitter.id, listener.id, "$errors");
  expect(other.body.data.id).not.toBe(replies[0]?.body.data.id);
});

test("3.11 emitter and listener must exist, and be of a valid kind", async () => {
  const [emitter, listener] = await pair();
  const refused = async (from: string, to: string): Promise<[number, string]> => {
    const reply = await subscribe(from, to);
    return [reply.status, reply.body.code];
  };
  expect(await refused("dc_unknown", listener.id)).toEqual([404, "not_found"]);
  expect(await refused(emitter.id, "dc_unknown")).toEqual([404, "not_found"]);
  expect(await refused(emitter.id, "wh_unknown")).toEqual([404, "not_found"]);
  expect(await refused(emitter.id, "p_unknown")).toEqual([404, "not_found"]);
  expect(await refused(emitter.id, "sc_1")).toEqual([400, "invalid_parameter"]);
  expect(await refused("wh_1", listener.id)).toEqual([400, "invalid_parameter"]);
});

test("R101 a misspelt stream is refused", async () => {
  const [emitter, listener] = await pair();
  for (const name of ["$error", "$", "$Logs"]) {
    const reply = await subscribe(emitter.id, listener.id, name);
    expect([reply.status, reply.body.code], name).toEqual([400, "invalid_parameter"]);
  }
});

test("R104 the list has all subscriptions, newest first, and no page_info", async () => {
  const [emitter, listener] = await pair();
  for (const name of ["a", "b"]) await subscribe(emitter.id, listener.id, name);
  const reply = await service.call<{ data: SubscriptionBody[] }>("GET", "/users/me/subscriptions");
  expect(Object.keys(reply.body)).toEqual(["data"]);
  expect(reply.body.data.slice(0, 2).map(({ event_name }) => event_name)).toEqual(["b", "a"]);
  const short = await service.call<{ data: object[] }>("GET", "/users/me/subscriptions?include=event_name");
  expect(Object.keys(short.body.data[0] ?? {})).toEqual(["id", "event_name"]);
});

test("R103 DELETE takes the same three parameters; an empty name deletes the subscription with an empty name", async () => {
  const [emitter, listener] = await pair();
  const triple = { emitter_id: emitter.id, listener_id: listener.id };
  await subscribe(emitter.id, listener.id);
  await subscribe(emitter.id, listener.id, "$errors");
  for (const missing of [triple, { emitter_id: emitter.id, event_name: "" }, { event_name: "" }]) {
    const absent = await unsubscribe(missing);
    expect([absent.status, absent.body.code]).toEqual([400, "missing_parameter"]);
  }
  expect((await unsubscribe({ ...triple, event_name: "" })).status).toBe(204);
  expect((await listOf(emitter.id)).map(({ event_name }) => event_name)).toEqual(["$errors"]);
  expect((await unsubscribe({ ...triple, event_name: "$errors" })).status).toBe(204);
  expect(await listOf(emitter.id)).toEqual([]);
});

test("G16 unsubscribing answers 204 without a body, and 404 without a subscription", async () => {
  const [emitter, listener] = await pair();
  const triple = { emitter_id: emitter.id, listener_id: listener.id, event_name: "" };
  const nothing = await unsubscribe(triple);
  expect([nothing.status, nothing.body.code]).toEqual([404, "not_found"]);
  await subscribe(emitter.id, listener.id);
  const done = await unsubscribe(triple);
  expect([done.status, done.body]).toEqual([204, undefined]);
  expect((await unsubscribe(triple)).status).toBe(404);
});

test("G18 empty and default both name the default stream, are stored as given, and deleted by the same name", async () => {
  const [emitter, empty] = await pair();
  const named = await service.deploy(echoing);
  await subscribe(emitter.id, empty.id, "");
  await subscribe(emitter.id, named.id, "default");
  expect((await listOf(named.id)).map(({ event_name }) => event_name)).toEqual(["default"]);
  await runAll(emitter.id, { data: 1 });
  for (const { id } of [empty, named]) expect(await service.emitted(id)).toEqual([{ got: 1 }]);
  const triple = { emitter_id: emitter.id, listener_id: named.id };
  expect((await unsubscribe({ ...triple, event_name: "" })).status).toBe(404);
  expect((await unsubscribe({ ...triple, event_name: "default" })).status).toBe(204);
});

test("G20 a listening source runs with the emitted payload itself", async () => {
  const [emitter, listener] = await pair();
  await subscribe(emitter.id, listener.id);
  await runAll(emitter.id, { data: { n: 1 } });
  await runAll(emitter.id, { data: "text" });
  expect(await service.emitted(listener.id)).toEqual([{ got: { n: 1 } }, { got: "text" }]);
});

test("S11 a subscription gets events of its stream only", async () => {
  const [emitter, listener] = await pair();
  const other = await service.deploy(echoing);
  await subscribe(emitter.id, listener.id, "orders");
  await subscribe(emitter.id, other.id);
  await runAll(emitter.id, { data: 1 });
  await runAll(emitter.id, { data: 2, channel: "orders" });
  await runAll(emitter.id, { data: 3, channel: "other" });
  expect(await service.emitted(listener.id)).toEqual([{ got: 2 }]);
  expect(await service.emitted(other.id)).toEqual([{ got: 1 }]);
});

test("R101 $errors delivers records of errors, $logs records of logs", async () => {
  const [emitter, onError] = await pair(
    component({ name: "Noisy", run: 'console.log("said"); throw new RangeError("on purpose")' }),
  );
  const onLog = await service.deploy(echoing);
  await subscribe(emitter.id, onError.id, "$errors");
  await subscribe(emitter.id, onLog.id, "$logs");
  await runAll(emitter.id, { n: 1 });
  expect(await service.emitted(onError.id)).toMatchObject([
    { got: { original_event: { n: 1 }, error: { code: "RangeError", msg: "on purpose" } } },
  ]);
  expect(await service.emitted(onLog.id)).toMatchObject([
    { got: { k: "console.log", msg: "said" } },
    { got: { k: "err", err: { message: "on purpose" } } },
  ]);
});

test("G62 an error of a source that listens for errors triggers no source", async () => {
  const [emitter, first] = await pair(throwing, throwing);
  const second = await service.deploy(throwing);
  await subscribe(emitter.id, first.id, "$errors");
  await subscribe(first.id, second.id, "$errors");
  await subscribe(first.id, first.id, "$errors");
  await runAll(emitter.id);
  expect(await service.events(first.id, "$errors/")).toHaveLength(1);
  expect(await service.events(second.id, "$errors/")).toEqual([]);
});

test("S33 an error in a listener of $errors is in its own $errors list, and is not delivered", async () => {
  const [emitter, listener] = await pair(throwing, throwing);
  const webhook = await createWebhook("/errors-of-listeners");
  await subscribe(emitter.id, listener.id, "$errors");
  await subscribe(listener.id, webhook, "$errors");
  await runAll(emitter.id);
  expect(await service.events(listener.id, "$errors/")).toHaveLength(1);
  const { body } = await service.call<{ data: object[] }>("GET", `/webhooks/${webhook}/deliveries`);
  expect(body.data).toEqual([]);
  await runAll(listener.id);
  const later = await service.call<{ data: object[] }>("GET", `/webhooks/${webhook}/deliveries`);
  expect(later.body.data).toHaveLength(1);
});

test("R100 dc_* matches every source, and p_* matches none", async () => {
  const [emitter, sources] = await pair();
  const workflows = await service.deploy(echoing);
  const channel = "every-source";
  for (const [glob, { id }] of [["dc_*", sources] as const, ["p_*", workflows] as const]) {
    const reply = await subscribe(glob, id, channel);
    expect([reply.status, reply.body.data.emitter_id]).toEqual([200, glob]);
  }
  await runAll(emitter.id, { data: 1, channel });
  expect(await service.emitted(sources.id)).toEqual([{ got: 1 }]);
  expect(await service.emitted(workflows.id)).toEqual([]);
  for (const [emitter_id, { id }] of [["dc_*", sources] as const, ["p_*", workflows] as const])
    expect((await unsubscribe({ emitter_id, listener_id: id, event_name: channel })).status).toBe(204);
});

test("G19 a glob matches later sources too, and never the listener itself", async () => {
  const channel = "glob-test";
  const listener = await service.deploy(
    component({ name: "Selfish", run: `this.$emit({ heard: event }, { name: "${channel}" })` }),
  );
  await subscribe("dc_*", listener.id, channel);
  const later = await service.deploy(emitting);
  await runAll(later.id, { data: 1, channel });
  await runAll(listener.id, { own: true });
  expect(await service.emitted(listener.id)).toEqual([{ heard: 1 }, { heard: { own: true } }]);
  for (const glob of ["*", "dc_a*", "d*", "dc_**", "P_*", "p*"]) {
    const refused = await subscribe(glob, later.id);
    expect([refused.status, refused.body.code], glob).toEqual([400, "invalid_parameter"]);
  }
  await unsubscribe({ emitter_id: "dc_*", listener_id: listener.id, event_name: channel });
});

test("G21 two sources that listen to each other stop after ten hops with subscription_loop", async () => {
  const [ping, pong] = await pair(
    component({ name: "Ping", run: "this.$emit(event + 1)" }),
    component({ name: "Pong", run: "this.$emit(event + 1)" }),
  );
  await subscribe(ping.id, pong.id);
  await subscribe(pong.id, ping.id);
  await service.run(ping.id, 0);
  await service.runtime.idle();
  expect(await service.emitted(ping.id)).toEqual([1, 3, 5, 7, 9, 11]);
  expect(await service.emitted(pong.id)).toEqual([2, 4, 6, 8, 10]);
  expect(await service.events(ping.id, "$errors/")).toEqual([]);
  const errors = await service.events(pong.id, "$errors/");
  expect(errors.map(({ event }) => event)).toMatchObject([
    { original_event: 11, original_context: { source_type: "SUBSCRIPTION" }, error: { code: "subscription_loop" } },
  ]);
});

test("R131 a webhook receives events without any workflow", async () => {
  const emitter = await service.deploy(emitting);
  await subscribe(emitter.id, await createWebhook("/alone"));
  await runAll(emitter.id, { data: { n: 7 } });
  expect(receiver.bodies("/alone")).toEqual(['{"n":7}']);
});

test("R105 one emitter has many listeners, and one listener many emitters", async () => {
  const [emitter, listener] = await pair();
  const other = await service.deploy(emitting);
  const [first, second] = [await createWebhook("/many-1"), await createWebhook("/many-2")];
  for (const id of [listener.id, first, second]) await subscribe(emitter.id, id);
  for (const id of [listener.id, second]) await subscribe(other.id, id);
  await runAll(emitter.id, { data: 1 });
  await runAll(other.id, { data: 2 });
  expect(receiver.bodies("/many-1")).toEqual(["1"]);
  expect(receiver.bodies("/many-2")).toEqual(["1", "2"]);
  expect(await service.emitted(listener.id)).toEqual([{ got: 1 }, { got: 2 }]);
});

test("R079 an inactive listener does not run, and nothing is queued for it", async () => {
  const [emitter, listener] = await pair();
  await subscribe(emitter.id, listener.id);
  await service.call("PATCH", `/sources/${listener.id}`, { active: false });
  await runAll(emitter.id, { data: 1 });
  await service.call("PATCH", `/sources/${listener.id}`, { active: true });
  await runAll(emitter.id, { data: 2 });
  expect(await service.emitted(listener.id)).toEqual([{ got: 2 }]);
});

test("3.11 deleting an emitter or listener deletes its subscriptions", async () => {
  const [emitter, listener] = await pair();
  const other = await service.deploy(emitting);
  await subscribe(emitter.id, listener.id);
  await subscribe(other.id, listener.id);
  await service.call("DELETE", `/sources/${emitter.id}`);
  expect((await listOf(listener.id)).map(({ emitter_id }) => emitter_id)).toEqual([other.id]);
  await service.call("DELETE", `/sources/${listener.id}`);
  expect(await listOf(other.id)).toEqual([]);
});

const hooked = component({
  name: "Hooked",
  more: 'hooks: { deploy() { this.$emit("deployed") } },',
  run: "this.$emit(event)",
});

test("R102 an auto-subscription applies to sources created later, including events of their deploy hooks", async () => {
  const before = await service.deploy(hooked);
  const listener = await service.deploy(echoing);
  const auto = `/auto_subscriptions?${query({ event_name: "", listener_id: listener.id })}`;
  expect((await service.call("POST", auto)).status).toBe(200);
  const after = await service.deploy(hooked);
  await runAll(before.id, { from: "before" });
  await runAll(after.id, { from: "after" });
  expect(await service.emitted(listener.id)).toEqual([{ got: "deployed" }, { got: { from: "after" } }]);
  expect((await listOf(listener.id)).map(({ emitter_id }) => emitter_id)).toEqual([after.id]);
  await service.call("DELETE", auto);
});

test("G17 auto-subscriptions can be listed and deleted, and creating one twice has no effect", async () => {
  const listener = await service.deploy(echoing);
  const auto = `/auto_subscriptions?${query({ event_name: "$errors", listener_id: listener.id })}`;
  const reply = await service.call<Data<{ id: string }>>("POST", auto);
  expect([reply.status, reply.body.data]).toEqual([
    200,
    {
      id: expect.stringMatching(/^asub_/) as string,
      event_name: "$errors",
      listener_id: listener.id,
      created_at: Math.floor(service.clock.now() / 1000),
    },
  ]);
  expect((await service.call<Data<{ id: string }>>("POST", auto)).body.data.id).toBe(reply.body.data.id);
  const made = await service.deploy(hooked);
  const known = await service.call<Data<{ id: string }[]>>("GET", "/users/me/auto_subscriptions");
  expect(known.body.data).toEqual([reply.body.data]);
  expect((await service.call("DELETE", auto)).status).toBe(204);
  expect((await service.call("DELETE", auto)).status).toBe(404);
  expect((await service.call<Data<object[]>>("GET", "/users/me/auto_subscriptions")).body.data).toEqual([]);
  expect(await listOf((await service.deploy(hooked)).id)).toEqual([]);
  expect(await listOf(made.id)).toHaveLength(1);
});

test("R102 event_name and listener_id are required, the listener must exist", async () => {
  const listener = await service.deploy(echoing);
  const post = async (values: { [name: string]: string }): Promise<[number, string]> => {
    const reply = await service.call("POST", `/auto_subscriptions?${query(values)}`);
    return [reply.status, reply.body.code];
  };
  expect(await post({ listener_id: listener.id })).toEqual([400, "missing_parameter"]);
  expect(await post({ event_name: "$errors" })).toEqual([400, "missing_parameter"]);
  expect(await post({ event_name: "$errors", listener_id: "wh_unknown" })).toEqual([404, "not_found"]);
});
