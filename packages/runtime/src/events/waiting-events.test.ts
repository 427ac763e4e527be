import { expect, test } from "vitest";

import type { CommittedEvent } from "./committed-event.ts";
import { createLive } from "./live.ts";
import { createWaitingEvents } from "./waiting-events.ts";

let count = 0;
const eventOf = (userId: string, chars: number): CommittedEvent =>
  ({
    event: { id: { ms: ++count, seq: 0 }, stream: "emits", name: "", payload: "x".repeat(chars) },
    source: { id: `dc_${userId}`, userId },
  }) as unknown as CommittedEvent;

async function rest(events: AsyncIterableIterator<unknown>): Promise<number> {
  let taken = 0;
  for await (const _ of events) taken += 1;
  return taken;
}

test("an event that waits for several listeners counts once, until the last one has read it", () => {
  const waiting = createWaitingEvents({ chars: 10, charsPerUser: 6 });
  const [one, two] = [eventOf("u_1", 6), eventOf("u_2", 5)];
  waiting.add(one);
  waiting.add(one);
  expect(waiting.isOverLimit("u_1")).toBe(false);
  waiting.add(two);
  expect([waiting.isOverLimit("u_1"), waiting.isOverLimit("u_2")]).toEqual([true, true]);
  waiting.remove(one);
  expect(waiting.isOverLimit("u_1")).toBe(true);
  waiting.remove(one);
  expect(waiting.isOverLimit("u_1")).toBe(false);
  waiting.add(eventOf("u_2", 2));
  expect([waiting.isOverLimit("u_1"), waiting.isOverLimit("u_2")]).toEqual([false, true]);
});

test("beyond the limit the listener with the longest backlog ends without it; the others continue", async () => {
  const live = createLive(() => true, { chars: 100, charsPerUser: 50 });
  const [behind, quick, other] = [live.listen({}, "u_1"), live.listen({}, "u_1"), live.listen({}, "u_2")];
  const heard: unknown[] = [];
  for (let n = 0; n < 6; n++) {
    live.publish([eventOf("u_1", 10)]);
    heard.push((await quick.next()).done);
  }
  live.publish([eventOf("u_2", 10)]);
  expect(heard).toEqual([false, false, false, false, false, false]);
  expect(await behind.next()).toEqual({ value: undefined, done: true });
  expect((await other.next()).done).toBe(false);
});

test("one user's listeners that do not read end before another's", async () => {
  const live = createLive(() => true, { chars: 100, charsPerUser: 50 });
  const [hoarder, modest] = [live.listen({}, "u_1"), live.listen({}, "u_2")];
  for (let n = 0; n < 8; n++) live.publish([eventOf("u_1", 10), eventOf("u_2", 1)]);
  live.close();
  expect([await rest(hoarder), await rest(modest)]).toEqual([0, 8]);
});

test("unread events of a listener no longer count after an abort or return", async () => {
  const live = createLive(() => true, { chars: 100, charsPerUser: 50 });
  const stop = new AbortController();
  const [aborted, returned] = [live.listen({ signal: stop.signal }, "u_1"), live.listen({}, "u_1")];
  for (let n = 0; n < 5; n++) live.publish([eventOf("u_1", 10)]);
  stop.abort();
  await returned.return?.();
  const next = live.listen({}, "u_1");
  for (let n = 0; n < 5; n++) live.publish([eventOf("u_1", 10)]);
  live.close();
  expect([await rest(next), await rest(aborted)]).toEqual([5, 5]);
});
