import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import { type Receiver, startReceiver } from "../../packages/runtime/src/delivery/receiver.cases.ts";
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
/** Runs a source and lets everything that follows from it happen. */
async function runAll(id: string, event: Json = {}): Promise<void> {
  await service.run(id, event);
  await service.runtime.idle();
}

test("R099 R014 POST /subscriptions answers 200 with the subscription; event_name is empty when not given", async () => {
  const [emitter, listener] = await pair();
  const reply = await subscribe(emitter.id, listener.id);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toEqual({
    id: expect.stringMatching(/^sub_/) as string,
    emitter_id: emitter.id,
    listener_id: listener.id,
    event_name: "",
  });
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

test("G15 repeating the same triple gives the existing subscription, also at the same time", async () => {
  const [emitter, listener] = await pair();
  const replies = await Promise.all([1, 2, 3].map(() => subscribe(emitter.id, listener.id, "$logs")));
  expect(new Set(replies.map(({ body }) => body.data.id)).size).toBe(1);
  expect(await listOf(emitter.id)).toHaveLength(1);
  const other = await subscribe(emitter.id, listener.id, "$errors");
  expect(other.body.data.id).not.toBe(replies[0]?.body.data.id);
});

test("3.11 T9 emitter and listener must exist, and be of a kind that can be one", async () => {
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
  for (const glob of ["*", "dc_a*", "d*", "dc_**", "P_*"])
    expect(await refused(glob, listener.id)).toEqual([400, "invalid_parameter"]);
});

test("R101 a misspelt stream is refused", async () => {
  const [emitter, listener] = await pair();
  const reply = await subscribe(emitter.id, listener.id, "$error");
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_parameter"]);
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

test("R103 T7 DELETE needs event_name; empty deletes the one that was stored with an empty name", async () => {
  const [emitter, listener] = await pair();
  const triple = { emitter_id: emitter.id, listener_id: listener.id };
  await subscribe(emitter.id, listener.id);
  await subscribe(emitter.id, listener.id, "$errors");
  const absent = await unsubscribe(triple);
  expect([absent.status, absent.body.code]).toEqual([400, "missing_parameter"]);
  expect((await unsubscribe({ ...triple, event_name: "" })).status).toBe(204);
  expect((await listOf(emitter.id)).map(({ event_name }) => event_name)).toEqual(["$errors"]);
  const again = await unsubscribe({ ...triple, event_name: "" });
  expect([again.status, again.body.code]).toEqual([404, "not_found"]);
  expect((await unsubscribe({ ...triple, event_name: "$errors" })).status).toBe(204);
});

test("G18 delete matches the stored name exactly", async () => {
  const [emitter, listener] = await pair();
  const triple = { emitter_id: emitter.id, listener_id: listener.id };
  await subscribe(emitter.id, listener.id, "default");
  expect((await unsubscribe({ ...triple, event_name: "" })).status).toBe(404);
  expect((await unsubscribe({ ...triple, event_name: "default" })).status).toBe(204);
});

test("G20 R105 a listening source runs with the emitted payload itself", async () => {
  const [emitter, listener] = await pair();
  await subscribe(emitter.id, listener.id);
  await runAll(emitter.id, { data: { n: 1 } });
  await runAll(emitter.id, { data: "text" });
  expect(await service.emitted(listener.id)).toEqual([{ got: { n: 1 } }, { got: "text" }]);
});

test("S11 T5 a subscription hears its own stream only", async () => {
  const [emitter, listener] = await pair();
  await subscribe(emitter.id, listener.id, "orders");
  await runAll(emitter.id, { data: 1 });
  await runAll(emitter.id, { data: 2, channel: "orders" });
  await runAll(emitter.id, { data: 3, channel: "other" });
  expect(await service.emitted(listener.id)).toEqual([{ got: 2 }]);
  await unsubscribe({ emitter_id: emitter.id, listener_id: listener.id, event_name: "orders" });
  await subscribe(emitter.id, listener.id, "default");
  await runAll(emitter.id, { data: 4 });
  await runAll(emitter.id, { data: 5, channel: "orders" });
  expect((await service.emitted(listener.id)).slice(1)).toEqual([{ got: 4 }]);
});

test("R101 G20 $errors brings the record of the error, $logs the record of the log", async () => {
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

test("G62 an error of a source that listens for errors makes no source run, itself included", async () => {
  const [emitter, first] = await pair(throwing, throwing);
  const second = await service.deploy(throwing);
  await subscribe(emitter.id, first.id, "$errors");
  await subscribe(first.id, second.id, "$errors");
  await subscribe(first.id, first.id, "$errors");
  await runAll(emitter.id);
  expect(await service.events(first.id, "$errors/")).toHaveLength(1);
  expect(await service.events(second.id, "$errors/")).toEqual([]);
});

test("R100 G19 a glob hears every source, later ones included, and nobody hears itself", async () => {
  const listener = await service.deploy(component({ name: "All", run: "this.$emit({ heard: event })" }));
  const channel = "glob-test";
  expect((await subscribe("dc_*", listener.id, channel)).status).toBe(200);
  expect((await subscribe("p_*", listener.id, channel)).status).toBe(200);
  const later = await service.deploy(emitting);
  await runAll(later.id, { data: 1, channel });
  await runAll(listener.id, { own: true });
  const selfish = await service.deploy(
    component({ name: "Selfish", run: `this.$emit({ loop: event }, { name: "${channel}" })` }),
  );
  await subscribe("dc_*", selfish.id, channel);
  await runAll(selfish.id, { n: 1 });
  expect(await service.emitted(selfish.id)).toEqual([{ loop: { n: 1 } }]);
  expect(await service.emitted(listener.id)).toEqual([
    { heard: 1 },
    { heard: { own: true } },
    { heard: { loop: { n: 1 } } },
  ]);
  for (const each of await listOf(listener.id)) {
    await unsubscribe({ emitter_id: each.emitter_id, listener_id: each.listener_id, event_name: each.event_name });
  }
  await unsubscribe({ emitter_id: "dc_*", listener_id: selfish.id, event_name: channel });
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

test("R131 R105 one emitter has many listeners, sources and webhooks", async () => {
  const [emitter, listener] = await pair();
  const [first, second] = [await createWebhook("/many-1"), await createWebhook("/many-2")];
  for (const id of [listener.id, first, second]) await subscribe(emitter.id, id);
  await runAll(emitter.id, { data: { n: 7 } });
  expect(receiver.bodies("/many-1")).toEqual(['{"n":7}']);
  expect(receiver.bodies("/many-2")).toEqual(['{"n":7}']);
  expect(await service.emitted(listener.id)).toEqual([{ got: { n: 7 } }]);
});

test("an inactive source that listens does not run, and nothing waits for it", async () => {
  const [emitter, listener] = await pair();
  await subscribe(emitter.id, listener.id);
  await service.call("PATCH", `/sources/${listener.id}`, { active: false });
  await runAll(emitter.id, { data: 1 });
  await service.call("PATCH", `/sources/${listener.id}`, { active: true });
  await runAll(emitter.id, { data: 2 });
  expect(await service.emitted(listener.id)).toEqual([{ got: 2 }]);
});

test("3.11 a deleted emitter or listener takes its subscriptions along", async () => {
  const [emitter, listener] = await pair();
  const other = await service.deploy(emitting);
  await subscribe(emitter.id, listener.id);
  await subscribe(other.id, listener.id);
  await service.call("DELETE", `/sources/${emitter.id}`);
  expect((await listOf(listener.id)).map(({ emitter_id }) => emitter_id)).toEqual([other.id]);
  await service.call("DELETE", `/sources/${listener.id}`);
  expect(await listOf(other.id)).toEqual([]);
});

test("R102 G17 an auto-subscription is for sources that are created after it, events of deploy hooks included", async () => {
  const hooked = component({
    name: "Hooked",
    more: 'hooks: { deploy() { this.$emit("deployed") } },',
    run: "this.$emit(event)",
  });
  const before = await service.deploy(hooked);
  const listener = await service.deploy(echoing);
  const auto = `/auto_subscriptions?${query({ event_name: "", listener_id: listener.id })}`;
  const reply = await service.call<Data<{ id: string }>>("POST", auto);
  expect(reply.status).toBe(200);
  expect(reply.body.data).toEqual({
    id: expect.stringMatching(/^asub_/) as string,
    event_name: "",
    listener_id: listener.id,
    created_at: expect.any(Number) as number,
  });
  expect((await service.call<Data<{ id: string }>>("POST", auto)).body.data.id).toBe(reply.body.data.id);
  const after = await service.deploy(hooked);
  await runAll(before.id, { from: "before" });
  await runAll(after.id, { from: "after" });
  expect(await service.emitted(listener.id)).toEqual([{ got: "deployed" }, { got: { from: "after" } }]);
  expect((await listOf(listener.id)).map(({ emitter_id }) => emitter_id)).toEqual([after.id]);
  const known = await service.call<Data<{ id: string }[]>>("GET", "/users/me/auto_subscriptions");
  expect(known.body.data.map(({ id }) => id)).toEqual([reply.body.data.id]);
  expect((await service.call("DELETE", auto)).status).toBe(204);
  expect((await service.call("DELETE", auto)).status).toBe(404);
  const last = await service.deploy(hooked);
  expect(await listOf(last.id)).toEqual([]);
  expect(await listOf(after.id)).toHaveLength(1);
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
