import { expect, test } from "vitest";

import type { CommittedEvent } from "../events/committed-event.ts";
import { laterEvents } from "./later-events.ts";

async function* given(): AsyncGenerator<CommittedEvent> {
  for (const [ms, seq] of [
    [1, 0],
    [2, 0],
    [2, 1],
  ] as const)
    yield { event: { id: { ms, seq } } } as CommittedEvent;
}

async function idsOf(events: AsyncIterable<CommittedEvent>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { event } of events) ids.push(`${event.id.ms}-${event.id.seq}`);
  return ids;
}

test("events up to the newest one at the beginning are left out", async () => {
  expect(await idsOf(laterEvents(given(), Promise.resolve({ ms: 2, seq: 0 })))).toEqual(["2-1"]);
});

test("without a newest one, and when it cannot be read, all events come", async () => {
  expect(await idsOf(laterEvents(given(), Promise.resolve(undefined)))).toHaveLength(3);
  expect(await idsOf(laterEvents(given(), Promise.reject(new Error("no store"))))).toHaveLength(3);
});
