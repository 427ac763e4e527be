import { statSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { afterEach, expect, it } from "vitest";

import type { SourceView } from "../../api/api.ts";
import type { Json } from "../../../../model/src/model.ts";
import type { RuntimeOptions } from "../../api/options.ts";
import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  makeFolder,
  openTrial,
  removeFolders,
  runText,
  settleTurns,
  type Trial,
} from "../../runtime.cases.ts";

const gate = createGate();
const trials: Trial[] = [];
async function open(options: RuntimeOptions = {}): Promise<Trial> {
  const trial = await openTrial({ accounts: gate.accounts, ...options });
  trials.push(trial);
  return trial;
}
afterEach(async () => {
  gate.open();
  for (const { runtime } of trials.splice(0)) await runtime.close();
  removeFolders();
});

const endpoint = `http: "$.interface.http"`;
const countBody = runText(`this.$emit((event.bodyRaw ?? "").length)`, `props: { ${gatedProp}, ${endpoint} },`);
const listener = runText(`this.$emit(typeof event === "string" ? event.length : event)`, `props: { ${gatedProp} },`);
const nul = (bytes: number): string => "\0".repeat(bytes);
const sizeOf = (folder: string): number =>
  ["x.db", "x.db-wal"].reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

async function subscribe(trial: Trial, emitter: string, ...listeners: SourceView[]): Promise<void> {
  for (const { source } of listeners) {
    await trial.runtime.subscribe({ emitterId: emitter, listenerId: source.id });
  }
}

it("waiting requests are stored as received, and run with their whole bodies after a restart", async () => {
  const data = makeFolder();
  const first = await open({ data });
  const view = await first.deploy(countBody, gatedValue);
  gate.close();
  const before = sizeOf(data);
  for (let index = 0; index < 10; index++) {
    expect((await first.hit(view, { text: nul(500_000), headers: [["content-type", "text/plain"]] })).status).toBe(200);
  }
  // As JSON text, which has the body twice, each zero byte would take twelve. The log of SQLite may have a page again.
  expect(sizeOf(data) - before).toBeLessThan(10 * 500_000 * 3);
  const ended = first.runtime.close({ drainMs: 1 });
  gate.open();
  await ended;
  const second = await open({ data });
  await second.runtime.idle();
  expect(await second.payloads(view.source.id)).toEqual(Array.from({ length: 10 }, () => 500_000));
});

/** Counts those of the objects that memory still holds. */
function countHeld(given: readonly WeakRef<object>[]): () => number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  return () => {
    collect();
    return given.filter((each) => each.deref() !== undefined).length;
  };
}
/** The event of the run that has begun, and an object that the stack may still have. */
const maxHeld = 2;

it.each(["that was answered", "whose client waits"])("memory does not hold the body of a request %s", async (kind) => {
  const trial = await open({ data: makeFolder() });
  const customResponse = kind !== "that was answered";
  const http = `http: { type: "$.interface.http", customResponse: ${customResponse} }`;
  const body = customResponse ? `this.http.respond({ status: 200 })` : "";
  const view = await trial.deploy(runText(body, `props: { ${gatedProp}, ${http} },`), gatedValue);
  gate.close();
  const bodies: WeakRef<Uint8Array>[] = [];
  const answers: Promise<unknown>[] = [];
  for (let index = 0; index < 5; index++) {
    const sent = new Uint8Array(400_000);
    bodies.push(new WeakRef(sent));
    answers.push(trial.hit(view, { body: sent }));
  }
  await expect.poll(countHeld(bodies)).toBeLessThanOrEqual(maxHeld);
  gate.open();
  await Promise.all(answers);
});

it("memory does not hold the event of a run that waits", async () => {
  const trial = await open({ data: makeFolder() });
  const view = await trial.deploy(listener, gatedValue);
  gate.close();
  const events: WeakRef<object>[] = [];
  const runs: Promise<unknown>[] = [];
  for (let index = 0; index < 5; index++) {
    const event = { index };
    events.push(new WeakRef(event));
    runs.push(trial.runtime.invoke(view.source.id, { event }));
  }
  await expect.poll(countHeld(events)).toBeLessThanOrEqual(maxHeld);
  gate.open();
  await Promise.all(runs);
});

it("an inbox at its byte limit answers 429", async () => {
  const trial = await open({ limits: { inboxBytesPerSource: 1_000_000 } });
  const view = await trial.deploy(countBody, gatedValue);
  gate.close();
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) statuses.push((await trial.hit(view, { text: nul(400_000) })).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  await expect(trial.runtime.invoke(view.source.id, { event: nul(400_000) })).rejects.toMatchObject({
    code: "queue_full",
    message: expect.stringContaining("1000000 bytes may wait") as string,
  });
  gate.open();
  await trial.runtime.idle();
  expect((await trial.hit(view, { text: "again" })).status).toBe(200);
});

it("the bytes of simultaneous requests are limited", async () => {
  const trial = await open({ data: makeFolder(), limits: { acceptingBytes: 1_000_000 } });
  const view = await trial.deploy(countBody, gatedValue);
  const answers = await Promise.all(Array.from({ length: 5 }, () => trial.hit(view, { text: nul(300_000) })));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 429, 429]);
});

it("events of a paused source wait until it is active again; its ticks are dropped", async () => {
  const trial = await open();
  const timed = `props: { ${gatedProp}, ${endpoint}, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },`;
  const view = await trial.deploy(runText(`this.$emit(event.bodyRaw ?? "tick")`, timed), gatedValue);
  gate.close();
  for (const text of ["one", "two"]) await trial.hit(view, { text });
  trial.clock.jump(60_000);
  await settleTurns();
  const paused = trial.runtime.update(view.source.id, { active: false });
  gate.open();
  await paused;
  await trial.runtime.idle();
  expect(await trial.payloads(view.source.id)).toEqual(["one"]);
  await trial.runtime.update(view.source.id, { active: true });
  await trial.runtime.idle();
  expect(await trial.payloads(view.source.id)).toEqual(["one", "two"]);
});

it("a source with a long queue is deleted at once, with its queue", async () => {
  const trial = await open();
  const view = await trial.deploy(countBody, gatedValue);
  gate.close();
  for (let index = 0; index < 100; index++) await trial.hit(view, { text: "x" });
  const deleted = trial.runtime.delete(view.source.id);
  gate.open();
  await deleted;
  await trial.runtime.idle();
  await expect(trial.runtime.source(view.source.id)).rejects.toMatchObject({ code: "not_found" });
});

it("an event is stored once, however many sources and webhooks listen", async () => {
  const data = makeFolder();
  const trial = await open({ data });
  const emitter = await trial.deploy(runText(`this.$emit("x".repeat(1_000_000))`));
  const listeners: SourceView[] = [];
  for (let index = 0; index < 30; index++) listeners.push(await trial.deploy(listener, gatedValue));
  await subscribe(trial, emitter.source.id, ...listeners);
  const before = sizeOf(data);
  gate.close();
  await trial.runtime.invoke(emitter.source.id);
  expect(sizeOf(data) - before).toBeLessThan(3_000_000);
  gate.open();
  await trial.runtime.idle();
  for (const { source } of listeners) expect(await trial.payloads(source.id)).toEqual([1_000_000]);
});

it("events beyond a listener's inbox are dropped, with a record of their number and the reason", async () => {
  const trial = await open({ limits: { inboxPerSource: 5 } });
  const emitter = await trial.deploy(runText(`for (let n = 0; n < 12; n++) this.$emit(n)`));
  const held = await trial.deploy(listener, gatedValue);
  await subscribe(trial, emitter.source.id, held);
  gate.close();
  await trial.runtime.invoke(emitter.source.id);
  gate.open();
  await trial.runtime.idle();
  expect(await trial.payloads(held.source.id)).toEqual([0, 1, 2, 3, 4]);
  const errors = (await trial.payloads(held.source.id, "$errors")) as { error: { [field: string]: Json } }[];
  expect(errors.map(({ error }) => [error["code"], error["msg"]])).toEqual([
    [
      "events_dropped",
      `7 events of ${emitter.source.id} were not delivered to this source: its inbox was full (5 triggers).`,
    ],
  ]);
});

it("G21 a loop of sources that listen to each other's logs ends", async () => {
  const trial = await open({ limits: { inboxPerSource: 20 } });
  const chatty = componentText(`async run() { for (let n = 0; n < 5; n++) console.log("line", n); },`);
  const [one, two] = [await trial.deploy(chatty), await trial.deploy(chatty)];
  for (const { source } of [one, two]) {
    await trial.runtime.subscribe({ emitterId: "dc_*", listenerId: source.id, eventName: "$logs" });
  }
  await trial.runtime.invoke(one.source.id);
  await trial.runtime.idle();
  for (const { source } of [one, two]) {
    const errors = (await trial.payloads(source.id, "$errors")) as { error: { code: string } }[];
    expect(errors.length).toBeGreaterThan(0);
    for (const { error } of errors) expect(["events_dropped", "subscription_loop"]).toContain(error.code);
  }
});
