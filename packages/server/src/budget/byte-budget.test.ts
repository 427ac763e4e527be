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

test("a holder has its share, all together have the budget, and what is released makes room", () => {
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

test("what is larger than a share has its place when its holder keeps nothing else", () => {
  const budget = openBudget();
  const large = budget.open("a");
  large.resize(90);
  expect(() => budget.open("a")).toThrow(overloaded);
  const other = budget.open("b");
  expect(() => other.resize(11)).toThrow(overloaded);
});

test("what does not move is let go when others need the room, the stalest of the holder first", () => {
  const budget = openBudget();
  const ended: string[] = [];
  for (const name of ["first", "second"]) {
    const hold = budget.open("a");
    hold.resize(20);
    hold.letGo(() => ended.push(name));
    budget.at += 1;
  }
  expect(() => budget.open("a")).toThrow(overloaded);
  budget.at = 10;
  budget.open("a").resize(20);
  expect([ended, budget.bytes]).toEqual([["first"], 40]);
});

test("what moves stays, and keeps only what is not taken yet", () => {
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

test("whoever waits for room is woken when some is given back, and at its signal", async () => {
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
