import { expect, test } from "vitest";

import { CallFlight, Flight, type Hold } from "./flight.ts";

const mb = 1024 * 1024;

function open(call: CallFlight, bytes = 0): Hold {
  const hold = call.open(bytes);
  if (!hold) throw new Error("no room");
  return hold;
}

/** Takes megabytes until it would have to wait, at most so many. Returns how many. */
function takeAll(hold: Hold, times: number): number {
  for (let taken = 0; taken < times; taken++) if (hold.take(mb)) return taken;
  return times;
}

test("a call holds at most its limit and one body; waiting requests continue when bytes are released", async () => {
  const flight = new Flight(1_000 * mb);
  const call = new CallFlight(flight, 10 * mb);
  const [first, second, third] = [open(call), open(call), open(call)];
  expect([takeAll(first, 6), takeAll(second, 3)]).toEqual([6, 3]);
  // The first request without room continues.
  expect([takeAll(second, 60), takeAll(first, 60)]).toEqual([60, 0]);
  const waiting = third.take(mb);
  expect(flight.used).toBe((6 + 63) * mb);
  // It is read completely, so the first waiting request continues.
  second.arrived();
  expect(flight.used).toBe((7 + 63) * mb);
  second.release();
  await waiting;
  expect(flight.used).toBe(8 * mb);
  first.release();
  third.release();
  expect([flight.used, call.used, flight.waiting.size, flight.urgent.size]).toEqual([0, 0, 0, 0]);
});

test("beyond the limit of the process a few calls continue, and others wait for them", () => {
  const flight = new Flight(4 * mb);
  const holds = Array.from({ length: 10 }, () => open(new CallFlight(flight, 100 * mb)));
  expect(takeAll(holds[0] as Hold, 4)).toBe(4);
  expect(holds.map((hold) => takeAll(hold, 3))).toEqual([3, 3, 3, 3, 0, 0, 0, 0, 0, 0]);
  holds[0]?.release();
  expect(flight.urgent.size).toBe(4);
  for (const hold of holds) hold.release();
  expect([flight.used, flight.waiting.size, flight.urgent.size]).toEqual([0, 0, 0]);
});

test("a body without room is refused, a wait ends with its request, and a released request counts nothing", async () => {
  const call = new CallFlight(new Flight(100 * mb), 4 * mb);
  const [body, urgent, waiting] = [open(call, 4 * mb), open(call), open(call)];
  expect(call.open(1)).toBeUndefined();
  expect(urgent.take(mb)).toBeUndefined();
  const wait = waiting.take(mb);
  waiting.release();
  await wait;
  expect(waiting.take(mb)).toBeUndefined();
  urgent.release();
  expect(call.used).toBe(4 * mb);
  body.release();
  body.release();
  expect(call.used).toBe(0);
});

test("a body is not refused because of other calls", () => {
  const flight = new Flight(4 * mb);
  open(new CallFlight(flight, 4 * mb), 4 * mb);
  expect(new CallFlight(flight, 4 * mb).open(mb)).toBeDefined();
});
