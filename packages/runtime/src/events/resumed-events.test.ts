import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";

import type { EventsFilter, LiveEvent } from "../api/events-api.ts";
import type { EventId } from "../../../model/src/event-id-text.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

const echo = runText(`for (const each of event) this.$emit(each, { name: each.name })`);

async function take(filter: EventsFilter, count: number): Promise<number[]> {
  const taken: number[] = [];
  for await (const { payload } of trial.runtime.events<{ n: number }>(filter)) {
    taken.push(payload.n);
    if (taken.length === count) break;
  }
  return taken;
}

const numbers = (from: number, to: number, name = ""): { n: number; name: string }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ n: from + index, name }));

async function emitted(events: readonly object[]): Promise<{ id: string; ids: readonly EventId[] }> {
  const { source } = await trial.deploy(echo);
  await trial.runtime.invoke(source.id, { event: events as never });
  return { id: source.id, ids: (await trial.stored(source.id)).map(({ id }) => id) };
}

describe("events({ after })", () => {
  it("begins with the stored events after the id, in pages, and continues with live events", async () => {
    const { id, ids } = await emitted(numbers(1, 50));
    const events = trial.runtime.events<{ n: number }>({ sourceId: id, after: ids[1] ?? "0-0" });
    await trial.runtime.invoke(id, { event: numbers(51, 52) });
    const heard: number[] = [];
    for await (const { payload } of events) {
      // Committed while stored events are being read.
      if (payload.n === 3) await trial.runtime.invoke(id, { event: numbers(53, 53) });
      if (payload.n === 53) await trial.runtime.invoke(id, { event: numbers(54, 54) });
      if (heard.push(payload.n) === 52) break;
    }
    expect(heard).toEqual(numbers(3, 54).map(({ n }) => n));
  });

  it("returns one channel", async () => {
    const { id } = await emitted([...numbers(1, 2), ...numbers(3, 3, "other"), ...numbers(4, 4)]);
    const after = "0-0";
    expect(await take({ sourceId: id, after, name: "other" }, 1)).toEqual([3]);
    expect(await take({ sourceId: id, after, name: "" }, 3)).toEqual([1, 2, 4]);
  });

  it("goes on with new events behind an id ahead of the stream, and reports it", async () => {
    for (const stored of [[], numbers(1, 3)]) {
      const { id, ids } = await emitted(stored);
      const gaps: EventId[] = [];
      const events = trial.runtime.events<{ n: number }>({
        sourceId: id,
        after: "99999999999999-0",
        onGap: (newest) => void gaps.push(newest),
      });
      const next = events.next();
      await trial.runtime.invoke(id, { event: numbers(9, 9) });
      expect((await next).value?.payload.n).toBe(9);
      expect(gaps).toEqual([ids.at(-1) ?? "0-0"]);
      await events.return?.();
    }
  });

  it("reports events that retention dropped, and no gap when all are stored", async () => {
    const many = await emitted(numbers(1, 130));
    const gaps: EventId[] = [];
    const onGap = (oldest: EventId): void => void gaps.push(oldest);
    expect((await take({ sourceId: many.id, after: "0-0", onGap }, 100))[0]).toBe(31);
    expect(gaps).toEqual([many.ids[0]]);
    const { id, ids } = await emitted(numbers(1, 30));
    for (const after of ["0-0", ids[0] ?? "0-0"]) await take({ sourceId: id, after, onGap }, after === "0-0" ? 30 : 29);
    expect(gaps).toHaveLength(1);
  });

  it("ends on abort, also between stored events and before it begins", async () => {
    const { id } = await emitted(numbers(1, 3));
    const stop = new AbortController();
    const heard: unknown[] = [];
    for await (const { payload } of trial.runtime.events({
      sourceId: id,
      after: "0-0",
      signal: stop.signal,
    })) {
      heard.push(payload);
      stop.abort();
    }
    expect(heard).toHaveLength(1);
    const unread = trial.runtime.events({ sourceId: id, after: "0-0" });
    await unread.return?.();
    expect(await unread.next()).toEqual({ done: true, value: undefined });
  });

  it("needs an existing source", async () => {
    const after = "0-0";
    expect(() => trial.runtime.events({ after })).toThrow('Parameter "after" must be given with sourceId');
    await expect(trial.runtime.events({ after, sourceId: "dc_none" }).next()).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it.each(["5", "", "a-b", { ms: 0, seq: 0 }, 5])("refuses the cursor %j, which is not an event id", async (after) => {
    const { id } = await emitted(numbers(1, 1));
    const refused = /^Parameter "after" must be an event id such as 1767225600000-0, got /;
    const given = after as string;
    expect(() => trial.runtime.events({ sourceId: id, after: given })).toThrow(refused);
    await expect(trial.runtime.storedEvents(id, "emits", { limit: 1, after: given })).rejects.toThrow(refused);
    await expect(trial.runtime.deleteEvents(id, "emits", { start: given })).rejects.toThrow('Parameter "start"');
  });

  it("gives payloads the given type", () => {
    const events = trial.runtime.events<{ n: number }>();
    expectTypeOf(events).toEqualTypeOf<AsyncIterableIterator<LiveEvent<{ n: number }>>>();
    expectTypeOf(trial.runtime.events()).toEqualTypeOf<AsyncIterableIterator<LiveEvent>>();
    void events.return?.();
  });
});
