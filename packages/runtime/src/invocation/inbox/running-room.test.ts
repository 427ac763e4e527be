import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, it } from "vitest";

import { createRunningRoom } from "./running-room.ts";

const mb = 1024 * 1024;

interface Run {
  readonly name: string;
  leave(): void;
}

/** Enters for each user in the order given; what has entered is in `inside`. */
function openRoom(limits = { ofUser: 16 * mb, all: 32 * mb }) {
  const room = createRunningRoom(limits);
  const inside: Run[] = [];
  const names = (): string[] => inside.map(({ name }) => name);
  return {
    names,
    enter(name: string, userId: string, bytes: number): void {
      void room.enter(userId, bytes).then((leave) => inside.push({ name, leave }));
    },
    async leave(name: string): Promise<void> {
      const at = inside.findIndex((run) => run.name === name);
      inside.splice(at, 1)[0]?.leave();
      await nextTurn();
    },
  };
}

it("runs with large events wait for room, per user and in total; small ones do not", async () => {
  const room = openRoom();
  for (const name of ["a1", "a2", "a3"]) room.enter(name, "a", 6 * mb);
  for (const name of ["b1", "b2", "b3"]) room.enter(name, "b", 6 * mb);
  room.enter("c1", "c", 6 * mb);
  room.enter("c2", "c", 6 * mb);
  for (let small = 0; small < 10; small += 1) room.enter("small", "a", 16 * 1024);
  await nextTurn();
  expect(room.names().filter((name) => name !== "small")).toEqual(["a1", "a2", "b1", "b2", "c1"]);
  expect(room.names().filter((name) => name === "small")).toHaveLength(10);
  await room.leave("b1");
  expect(room.names().filter((name) => name !== "small")).toEqual(["a1", "a2", "b2", "c1", "b3"]);
});

it("users take turns, however many events each has waiting", async () => {
  const room = openRoom({ ofUser: 6 * mb, all: 6 * mb });
  for (const name of ["a1", "a2", "a3"]) room.enter(name, "a", 6 * mb);
  room.enter("b1", "b", 6 * mb);
  await nextTurn();
  const order: (string | undefined)[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    const [name] = room.names();
    order.push(name);
    await room.leave(name ?? "");
  }
  expect(order).toEqual(["a1", "a2", "b1", "a3"]);
});

it("one large event makes room for several small ones", async () => {
  const room = openRoom();
  room.enter("large", "a", 15 * mb);
  for (const name of ["a1", "a2", "a3"]) room.enter(name, "a", 5 * mb);
  await nextTurn();
  expect(room.names()).toEqual(["large"]);
  await room.leave("large");
  expect(room.names()).toEqual(["a1", "a2", "a3"]);
});

it("an event larger than the limit runs alone", async () => {
  const room = openRoom({ ofUser: 4 * mb, all: 4 * mb });
  room.enter("large", "a", 6 * mb);
  room.enter("next", "b", 1 * mb);
  await nextTurn();
  expect(room.names()).toEqual(["large"]);
  await room.leave("large");
  expect(room.names()).toEqual(["next"]);
});
