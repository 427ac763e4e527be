import { expect, test } from "vitest";

import { type ByteBudget, createByteBudget } from "./byte-budget.ts";

function openBudget(limits: { bytes?: number; bytesPerHolder?: number } = {}): ByteBudget & { at: number } {
  const clock = { at: 0 };
  const budget = createByteBudget({ bytes: 100, bytesPerHolder: 40, patienceMs: 10, ...limits }, () => clock.at);
  return Object.defineProperties(clock, {
    open: { value: budget.open },
    bytes: { get: () => budget.bytes },
  }) as ByteBudget & { at: number };
}

const overloaded = expect.objectContaining({ code: "overloaded", details: { retryAfterSeconds: 1 } });

test("holders have a share, all together the budget, and released bytes are available again", () => {
  const budget = openBudget();
  const [one, two] = [budget.open("a"), budget.open("a")];
  one.resize(30);
  expect(() => two.resize(11)).toThrow(overloaded);
  two.resize(10);
  expect(() => budget.open("a")).toThrow(overloaded);
  budget.open("b").resize(40);
  const last = budget.open("c");
  expect(() => last.resize(21)).toThrow(overloaded);
  last.resize(20);
  expect(() => budget.open("d")).toThrow(overloaded);
  one.release();
  one.release();
  expect(budget.bytes).toBe(70);
  budget.open("d").resize(30);
});

test("a reservation larger than a share is allowed when it is the only one of its holder", () => {
  const budget = openBudget();
  const large = budget.open("a");
  large.resize(90);
  expect(() => budget.open("a")).toThrow(overloaded);
  const other = budget.open("b");
  expect(() => other.resize(11)).toThrow(overloaded);
});

test("reservations without progress are evicted when others need room, those of the holder first", () => {
  const budget = openBudget();
  const ended: string[] = [];
  for (const name of ["first", "second"]) {
    const hold = budget.open("a");
    hold.resize(20);
    hold.onEvict(() => ended.push(name));
    budget.at += 1;
  }
  expect(() => budget.open("a")).toThrow(overloaded);
  budget.at = 10;
  budget.open("a").resize(20);
  expect([ended, budget.bytes]).toEqual([["first"], 40]);
});

test("a reservation with progress stays, and shrinks as its bytes are read", () => {
  const budget = openBudget();
  const hold = budget.open("a");
  hold.resize(40);
  budget.at = 100;
  hold.move(25);
  budget.open("a").resize(15);
  expect(budget.bytes).toBe(40);
  hold.release();
  hold.move(30);
  hold.resize(30);
  expect(budget.bytes).toBe(15);
});

test("room resolves when bytes are released, and when its signal aborts", async () => {
  const budget = openBudget();
  const [hold, waiting] = [budget.open("a"), budget.open("a")];
  hold.resize(40);
  const stop = new AbortController();
  const [room, stopped] = [waiting.room(new AbortController().signal), budget.open("b").room(stop.signal)];
  stop.abort();
  await stopped;
  hold.move(39);
  await room;
  waiting.resize(1);
  expect(budget.bytes).toBe(40);
});
