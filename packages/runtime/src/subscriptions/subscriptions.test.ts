import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { Runtime } from "../api/runtime-api.ts";
import { manualClock } from "../../../model/src/process/clock.ts";
import { answer, type Receiver, startReceiver } from "../webhooks/receiver.cases.ts";
import { XError } from "../../../model/src/errors.ts";
import { assembleRuntime, createRuntime } from "../runtime.ts";
import {
  componentText,
  makeFolder,
  openTrial,
  removeFolders,
  runText,
  startMs,
  type Trial,
  trialOf,
} from "../runtime.cases.ts";
import type { Change, Store } from "../../../store/src/contract.ts";
import { exampleUser } from "../../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import { testEngine } from "../engine.cases.ts";

const emitting = runText("this.$emit(event)");
const cleanups: (() => Promise<void>)[] = [];
let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  await receiver.close();
  removeFolders();
});

/** A runtime on a store whose commits the test observes, and can refuse. */
async function openOn(commit: (changes: readonly Change[], go: Store["commit"]) => Promise<void>): Promise<Trial> {
  const engine = createMemoryStore();
  const clock = manualClock(startMs);
  const store: Store = { ...engine, commit: (changes) => commit(changes, engine.commit) };
  const runtime = await assembleRuntime({ clock, engine: await testEngine() }, store);
  await runtime.start();
  cleanups.push(() => runtime.close());
  return trialOf(runtime, clock);
}

const open = async (): Promise<Trial> => {
  const trial = await openTrial();
  cleanups.push(() => trial.runtime.close());
  return trial;
};

describe("subscriptions", () => {
  test("one commit stores an event, its deliveries and triggers, and the end of the run that emitted it", async () => {
    const commits: string[][] = [];
    const trial = await openOn((changes, go) => {
      commits.push(changes.map(({ op }) => op));
      return go(changes);
    });
    const emitter = (await trial.deploy(emitting)).source.id;
    const listener = (await trial.deploy(emitting)).source.id;
    const webhook = await trial.runtime.createWebhook({ url: receiver.on("/hook", answer(204)) });
    for (const listenerId of [listener, webhook.id]) await trial.runtime.subscribe({ emitterId: emitter, listenerId });
    commits.length = 0;
    await trial.runtime.invoke(emitter, { event: { n: 1 } });
    await trial.runtime.idle();
    const [withEvent] = commits.filter((ops) => ops.includes("event.add"));
    expect(withEvent).toEqual(expect.arrayContaining(["execution.add", "event.add", "delivery.add", "trigger.add"]));
    expect(commits.filter((ops) => ops.includes("delivery.add"))).toHaveLength(1);
    expect(receiver.bodies("/hook")).toEqual(['{"n":1}']);
    expect(await trial.payloads(listener)).toEqual([{ n: 1 }]);
  });

  test("no listener gets an event of a failed commit; after a repeated run each listener gets it once", async () => {
    let refusals = 1;
    const trial = await openOn((changes, go) => {
      if (changes.some(({ op }) => op === "delivery.add") && refusals-- > 0)
        return Promise.reject(new XError("store_failed", ["commit", "the test says so"]));
      return go(changes);
    });
    const emitter = (await trial.deploy(emitting)).source.id;
    const listener = (await trial.deploy(emitting)).source.id;
    const webhook = await trial.runtime.createWebhook({ url: receiver.on("/hook", answer(204)) });
    for (const listenerId of [listener, webhook.id]) await trial.runtime.subscribe({ emitterId: emitter, listenerId });
    await expect(trial.runtime.invoke(emitter, { event: 1 })).rejects.toMatchObject({ code: "store_failed" });
    await trial.runtime.idle();
    expect([receiver.received, await trial.payloads(listener)]).toEqual([[], []]);
    await trial.advance(1_000);
    expect([receiver.bodies("/hook"), await trial.payloads(listener)]).toEqual([["1"], [1]]);
  });

  test("resources of another user are not found, and globs do not match them", async () => {
    const store = createMemoryStore();
    await store.commit([
      { op: "user.put", user: exampleUser("u_1") },
      { op: "user.put", user: exampleUser("u_2") },
    ]);
    const runtime: Runtime = await assembleRuntime({ clock: manualClock(startMs), engine: await testEngine() }, store);
    cleanups.push(() => runtime.close());
    await runtime.start();
    const mine = (await runtime.as("u_1").deploy({ code: emitting })).source.id;
    const theirs = (await runtime.as("u_2").deploy({ code: emitting })).source.id;
    const webhook = (await runtime.as("u_2").createWebhook({ url: receiver.on("/theirs", answer(204)) })).id;
    await runtime.as("u_2").subscribe({ emitterId: "dc_*", listenerId: webhook });
    await runtime.as("u_2").autoSubscribe({ eventName: "", listenerId: webhook });
    await runtime.as("u_1").deploy({ code: emitting, name: "later" });
    await runtime.as("u_1").invoke(mine, { event: "mine" });
    await runtime.as("u_2").invoke(theirs, { event: "theirs" });
    await runtime.idle();
    expect(receiver.bodies("/theirs")).toEqual(['"theirs"']);
    const [delivery] = (await runtime.as("u_2").deliveries(webhook, { limit: 10 })).items;
    const foreign: (() => Promise<unknown>)[] = [
      () => runtime.as("u_1").subscribe({ emitterId: theirs, listenerId: mine }),
      () => runtime.as("u_1").subscribe({ emitterId: mine, listenerId: theirs }),
      () => runtime.as("u_1").subscribe({ emitterId: mine, listenerId: webhook }),
      () => runtime.as("u_1").unsubscribe({ emitterId: "dc_*", listenerId: webhook }),
      () => runtime.as("u_1").autoSubscribe({ eventName: "", listenerId: webhook }),
      () => runtime.as("u_1").removeAutoSubscription({ eventName: "", listenerId: webhook }),
      () => runtime.as("u_1").webhook(webhook),
      () => runtime.as("u_1").updateWebhook(webhook, { active: false }),
      () => runtime.as("u_1").rotateWebhookKey(webhook),
      () => runtime.as("u_1").deliveries(webhook, { limit: 10 }),
      () => runtime.as("u_1").redeliver(webhook, delivery?.id ?? ""),
      () => runtime.as("u_1").deleteWebhook(webhook),
    ];
    for (const call of foreign) await expect(call()).rejects.toMatchObject({ code: "not_found" });
    expect(await runtime.as("u_1").subscriptions()).toEqual([]);
    expect(await runtime.as("u_1").autoSubscriptions()).toEqual([]);
    expect((await runtime.as("u_1").webhooks({ limit: 10 })).totalCount).toBe(0);
    expect((await runtime.as("u_2").webhooks({ limit: 10 })).totalCount).toBe(1);
  });

  test("subscriptions, keys and pending deliveries survive a restart", async () => {
    const folder = makeFolder();
    const clock = manualClock(startMs);
    const url = receiver.on("/hook", (response, request, nth) => answer(nth === 1 ? 500 : 204)(response, request, nth));
    const first = await createRuntime({ clock, data: folder, engine: await testEngine() });
    await first.start();
    const { id: emitter } = (await first.deploy({ code: emitting })).source;
    const webhook = await first.createWebhook({ url, name: "Kept" });
    await first.subscribe({ emitterId: emitter, listenerId: webhook.id });
    await first.invoke(emitter, { event: 1 });
    await first.idle();
    await first.close();
    const second = await createRuntime({ clock, data: folder, engine: await testEngine() });
    cleanups.push(() => second.close());
    await second.invoke(emitter, { event: 2 });
    // Nothing is sent before the start.
    expect(receiver.bodies("/hook")).toEqual(["1"]);
    await second.start();
    await second.idle();
    expect(receiver.bodies("/hook")).toEqual(["1", "2"]);
    clock.jump(6_000);
    await second.idle();
    expect(receiver.bodies("/hook")).toEqual(["1", "2", "1"]);
    expect(await second.webhook(webhook.id)).toMatchObject({ name: "Kept" });
  });

  test("an unknown format is refused", async () => {
    const { runtime } = await open();
    const url = receiver.on("/hook", answer(204));
    const format = "xml" as "event";
    const refused =
      /^Parameter "format" must be "event" or "envelope" or "cloudevents" or "cloudevents-binary", got "xml"\.$/;
    await expect(runtime.createWebhook({ url, format })).rejects.toThrow(refused);
    const { id } = await runtime.createWebhook({ url });
    await expect(runtime.updateWebhook(id, { format })).rejects.toThrow(refused);
  });

  test("pending deliveries outlive the deletion of their source", async () => {
    const trial = await open();
    const { id: emitter } = (await trial.deploy(emitting)).source;
    const webhook = await trial.runtime.createWebhook({ url: receiver.on("/hook", answer(500)) });
    await trial.runtime.subscribe({ emitterId: emitter, listenerId: webhook.id });
    await trial.runtime.invoke(emitter, { event: 1 });
    await trial.runtime.idle();
    await trial.runtime.delete(emitter);
    for (let attempt = 1; attempt < 10; attempt += 1) await trial.advance(30 * 3_600_000);
    const { items } = await trial.runtime.deliveries(webhook.id, { limit: 10 });
    expect(items.map(({ status, attempts }) => [status, attempts.length])).toEqual([["dead", 10]]);
  });

  test("a listener of a glob gets the events of a deploy hook, unless the deploy fails", async () => {
    const trial = await open();
    const webhook = await trial.runtime.createWebhook({ url: receiver.on("/hook", answer(204)) });
    await trial.runtime.subscribe({ emitterId: "dc_*", listenerId: webhook.id });
    const hooks = (end: string): string =>
      componentText(`hooks: { deploy() { this.$emit("deployed"); ${end} } }, async run() {},`);
    await trial.deploy(hooks(""));
    await expect(trial.deploy(hooks('throw new Error("no")'))).rejects.toMatchObject({ code: "hook_failed" });
    await trial.runtime.idle();
    expect(receiver.bodies("/hook")).toEqual(['"deployed"']);
  });
});
