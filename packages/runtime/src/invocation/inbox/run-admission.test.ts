import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, it } from "vitest";

import { createRunAdmission } from "./run-admission.ts";

const mb = 1024 * 1024;

interface Run {
  readonly name: string;
  leave(): void;
}

/** Admits events in the given order; admitted runs are in `inside`. */
function openRuns(limits = { ofUser: 16 * mb, all: 32 * mb }) {
  const admission = createRunAdmission(limits);
  const inside: Run[] = [];
  const names = (): string[] => inside.map(({ name }) => name);
  return {
    names,
    enter(name: string, userId: string, bytes: number): void {
      void admission.enter(userId, bytes).then((leave) => inside.push({ name, leave }));
    },
    async leave(name: string): Promise<void> {
      const at = inside.findIndex((run) => run.name === name);
      inside.splice(at, 1)[0]?.leave();
      await nextTurn();
    },
  };
}

it("runs with large events wait for room, per user and in total; small ones do not", async () => {
  const runs = openRuns();
  for (const name of ["a1", "a2", "a3"]) runs.enter(name, "a", 6 * mb);
  for (const name of ["b1", "b2", "b3"]) runs.enter(name, "b", 6 * mb);
  runs.enter("c1", "c", 6 * mb);
  runs.enter("c2", "c", 6 * mb);
  for (let small = 0; small < 10; small += 1) runs.enter("small", "a", 16 * 1024);
  await nextTurn();
  expect(runs.names().filter((name) => name !== "small")).toEqual(["a1", "a2", "b1", "b2", "c1"]);
  expect(runs.names().filter((name) => name === "small")).toHaveLength(10);
  await runs.leave("b1");
  expect(runs.names().filter((name) => name !== "small")).toEqual(["a1", "a2", "b2", "c1", "b3"]);
});

it("users take turns, however many events each has waiting", async () => {
  const runs = openRuns({ ofUser: 6 * mb, all: 6 * mb });
  for (const name of ["a1", "a2", "a3"]) runs.enter(name, "a", 6 * mb);
  runs.enter("b1", "b", 6 * mb);
  await nextTurn();
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const [name] = runs.names();
    order.push(name);
    await runs.leave(name ?? "");
  }
  expect(order).toEqual(["a1", "a2", "b1", "a3"]);
});

it("one large event makes room for several small ones", async () => {
  const runs = openRuns();
  runs.enter("large", "a", 15 * mb);
  for (const name of ["a1", "a2", "a3"]) runs.enter(name, "a", 5 * mb);
  await nextTurn();
  expect(runs.names()).toEqual(["large"]);
  await runs.leave("large");
  expect(runs.names()).toEqual(["a1", "a2", "a3"]);
});

it("an event larger than the limit runs alone", async () => {
  const runs = openRuns({ ofUser: 4 * mb, all: 4 * mb });
  runs.enter("large", "a", 6 * mb);
  runs.enter("next", "b", 1 * mb);
  await nextTurn();
  expect(runs.names()).toEqual(["large"]);
  await runs.leave("large");
  expect(runs.names()).toEqual(["next"]);
});
