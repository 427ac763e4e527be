import { manualClock } from "@x/runtime";
import { expect, test } from "vitest";

import { createDebounce } from "./debounce.ts";

function gather() {
  const clock = manualClock(1_000);
  const handed: string[][] = [];
  const quiet = createDebounce<string>({
    clock,
    idleMs: 10,
    maxWaitMs: 25,
    ready: (items) => handed.push([...items]),
  });
  return { clock, quiet, handed };
}

test("what comes one after another is handed over together, each thing once", () => {
  const { clock, quiet, handed } = gather();
  quiet.add("a");
  clock.jump(9);
  quiet.add("b");
  quiet.add("a");
  clock.jump(9);
  expect(handed).toEqual([]);
  clock.jump(1);
  expect(handed).toEqual([["a", "b"]]);
  quiet.add("c");
  clock.jump(10);
  expect(handed).toEqual([["a", "b"], ["c"]]);
});

test("what comes all the time is handed over in between", () => {
  const { clock, quiet, handed } = gather();
  for (const item of ["a", "b", "c", "d"]) {
    quiet.add(item);
    clock.jump(8);
  }
  expect(handed).toEqual([["a", "b", "c", "d"]]);
});

test("after the end nothing is handed over", () => {
  const { clock, quiet, handed } = gather();
  quiet.add("a");
  quiet.close();
  clock.jump(100);
  expect(handed).toEqual([]);
});
