import { getEventListeners } from "node:events";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { LiveEvent } from "../api/events-api.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";
import { createLive } from "./live.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

const echo = runText(
  `for (const each of [].concat(event)) this.$emit(each); console.log("seen"); if (event === 0) throw new Error("zero")`,
);

async function take(events: AsyncIterableIterator<LiveEvent>, count: number): Promise<unknown[]> {
  const taken: unknown[] = [];
  while (taken.length < count) {
    const { value } = (await events.next()) as { value: LiveEvent };
    taken.push(JSON.parse(value.event.payload));
  }
  return taken;
}

describe("events()", () => {
  it("returns events committed from now on, of one source or of all", async () => {
    const one = await trial.deploy(echo);
    const two = await trial.deploy(echo);
    await trial.runtime.invoke(one.source.id, { event: "before" });
    const ofOne = trial.runtime.events({ sourceId: one.source.id });
    const ofAll = trial.runtime.events();
    await trial.runtime.invoke(one.source.id, { event: ["a", "b"] });
    await trial.runtime.invoke(two.source.id, { event: "c" });
    await trial.runtime.invoke(one.source.id, { event: "d" });
    expect(await take(ofOne, 3)).toEqual(["a", "b", "d"]);
    expect(await take(ofAll, 4)).toEqual(["a", "b", "c", "d"]);
    await Promise.all([ofOne.return?.(), ofAll.return?.()]);
  });

  it("answers concurrent calls of next with one event each, and then the end", async () => {
    const { source } = await trial.deploy(echo);
    const events = trial.runtime.events({ sourceId: source.id });
    const asked = [take(events, 1), take(events, 1)];
    await trial.runtime.invoke(source.id, { event: ["a", "b"] });
    expect(await Promise.all(asked)).toEqual([["a"], ["b"]]);
    const left = [events.next(), events.next()];
    await events.return?.();
    expect((await Promise.all(left)).map(({ done }) => done)).toEqual([true, true]);
  });

  it("returns $errors and $logs when the filter names them", async () => {
    const { source } = await trial.deploy(echo);
    const errors = trial.runtime.events({ sourceId: source.id, stream: "$errors" });
    const logs = trial.runtime.events({ sourceId: source.id, stream: "$logs" });
    await trial.runtime.invoke(source.id, { event: 0 });
    expect(await take(errors, 1)).toMatchObject([{ error: { msg: "zero" } }]);
    expect(await take(logs, 2)).toMatchObject([{ msg: "seen" }, { err: { message: "zero" } }]);
    await Promise.all([errors.return?.(), logs.return?.()]);
  });

  it("returns events of its own user only, whatever id it names, and those of all users without a user", async () => {
    const { runtime } = trial;
    const other = await runtime.addUser({ username: "other" });
    const own = await trial.deploy(echo);
    const foreign = await runtime.as(other.id).deploy({ code: echo });
    const heard = [
      runtime.events(),
      runtime.events({ sourceId: foreign.source.id }),
      runtime.as(other.id).events({}),
      runtime.events({ everyUser: true }),
    ];
    await runtime.as(other.id).invoke(foreign.source.id, { event: "theirs" });
    await runtime.invoke(own.source.id, { event: "mine" });
    const [first, named, theirs, all] = heard;
    if (!first || !named || !theirs || !all) throw new Error("no error listener");
    expect(await take(first, 1)).toEqual(["mine"]);
    expect(await take(theirs, 1)).toEqual(["theirs"]);
    expect(await take(all, 2)).toEqual(["theirs", "mine"]);
    for (const events of heard) await events.return?.();
    // What it had heard would still come.
    expect(await named.next()).toEqual({ value: undefined, done: true });
  });

  it("ends when its API key stops working, also before it began", async () => {
    const { runtime } = trial;
    const { apiKey, id } = await runtime.addUser({ username: "rotating" });
    const [byKey, byNobody] = [runtime.as(id).events({ apiKey }), runtime.as(id).events({})];
    const pending = byKey.next();
    await runtime.rotateApiKey("rotating");
    expect(await pending).toEqual({ value: undefined, done: true });
    expect(await runtime.as(id).events({ apiKey }).next()).toEqual({ value: undefined, done: true });
    const { source } = await runtime.as(id).deploy({ code: echo });
    await runtime.as(id).invoke(source.id, { event: 1 });
    expect(await take(byNobody, 1)).toEqual([1]);
    await byNobody.return?.();
  });

  it("ends when its signal aborts, when it is returned, and on close", async () => {
    const stop = new AbortController();
    const live = createLive(() => true);
    const aborted = live.listen({ signal: stop.signal }, undefined);
    const returned = live.listen({}, undefined);
    const closed = live.listen({}, undefined);
    const pending = [aborted.next(), closed.next()];
    stop.abort();
    await returned.return?.();
    live.close();
    const done = { value: undefined, done: true };
    const late = [live.listen({ signal: stop.signal }, undefined), live.listen({}, undefined)];
    const ended = await Promise.all([...pending, returned.next(), ...late.map((each) => each.next())]);
    expect(ended).toEqual([done, done, done, done, done]);
  });

  it("returns one channel when the filter names it", async () => {
    const { source } = await trial.deploy(runText(`this.$emit(1); this.$emit(2, { name: "side" }); this.$emit(3)`));
    const side = trial.runtime.events({ sourceId: source.id, name: "side" });
    const plain = trial.runtime.events({ sourceId: source.id, name: "" });
    await trial.runtime.invoke(source.id);
    expect([await take(side, 1), await take(plain, 2)]).toEqual([[2], [1, 3]]);
    await Promise.all([side.return?.(), plain.return?.()]);
  });

  it("ends for a listener that falls too far behind, after the events of its backlog", async () => {
    const { source } = await trial.deploy(echo);
    const slow = trial.runtime.events({ sourceId: source.id, backlog: 2 });
    const quick = trial.runtime.events({ sourceId: source.id });
    await trial.runtime.invoke(source.id, { event: ["a", "b", "c"] });
    await trial.runtime.invoke(source.id, { event: "d" });
    expect(await take(slow, 2)).toEqual(["a", "b"]);
    expect(await slow.next()).toEqual({ value: undefined, done: true });
    expect(await take(quick, 4)).toEqual(["a", "b", "c", "d"]);
    await quick.return?.();
  });

  it("ends when a for await loop is left", async () => {
    const { source } = await trial.deploy(echo);
    const events = trial.runtime.events({ sourceId: source.id });
    await trial.runtime.invoke(source.id, { event: [1, 2, 3] });
    const heard: string[] = [];
    for await (const { event, source: emitter } of events) {
      heard.push(`${emitter.id === source.id} ${event.payload}`);
      if (heard.length === 2) break;
    }
    expect(heard).toEqual(["true 1", "true 2"]);
    expect(await events.next()).toMatchObject({ value: { event: { payload: "3" } } });
  });
});

describe("deleting events", () => {
  const emitted = async (count: number): Promise<string> => {
    const { source } = await trial.deploy(echo);
    await trial.runtime.invoke(source.id, { event: Array.from({ length: count }, (_, index) => index) });
    return source.id;
  };
  const at = (seq: number): string => `${trial.clock.now()}-${seq}`;

  it.each([
    ["all", {}, []],
    ["from an id", { start: 2 }, [0, 1]],
    ["up to an id", { end: 2 }, [3, 4]],
    ["between two", { start: 1, end: 3 }, [0, 4]],
    ["one", { start: 3, end: 3 }, [0, 1, 2, 4]],
  ] as const)("R097 %s: the range is inclusive", async (_what, range: { start?: number; end?: number }, left) => {
    const id = await emitted(5);
    await trial.runtime.deleteEvents(id, "emits", {
      ...(range.start === undefined ? {} : { start: at(range.start) }),
      ...(range.end === undefined ? {} : { end: at(range.end) }),
    });
    await trial.runtime.idle();
    expect(await trial.payloads(id)).toEqual(left);
  });

  it("S15 the other streams stay, ids are not reused, and the dedupe state stays", async () => {
    const { source } = await trial.deploy(
      runText(`this.$emit(event, { id: event }); console.log(event)`, `dedupe: "unique",`),
    );
    await trial.runtime.invoke(source.id, { event: 1 });
    await trial.runtime.deleteEvents(source.id, "emits", {});
    expect(await trial.log(source.id)).toEqual(["1"]);
    expect((await trial.runtime.invoke(source.id, { event: 1 })).deduped).toBe(1);
    const { emitted } = await trial.runtime.invoke(source.id, { event: 2 });
    expect(emitted[0]?.id).toBe(at(1));
  });

  it("3.5 an event emitted after the request stays, even with an end beyond it", async () => {
    const id = await emitted(2);
    const deleted = trial.runtime.deleteEvents(id, "emits", {});
    const later = trial.runtime.invoke(id, { event: "later" });
    await Promise.all([deleted, later]);
    expect(await trial.payloads(id)).toEqual(["later"]);
    await trial.runtime.deleteEvents(id, "emits", { end: at(1_000) });
    await trial.runtime.invoke(id, { event: "last" });
    expect(await trial.payloads(id)).toEqual(["last"]);
  });
});

describe("a listener that stops", () => {
  it("removes its listener from a signal that lives on", async () => {
    const { signal } = new AbortController();
    const events = createLive(() => true).listen({ signal }, undefined);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    await events.return?.();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});
