import { setImmediate as nextTurn } from "node:timers/promises";

import { expect, test } from "vitest";

import { createReadsById } from "./reads-by-id.ts";

test("what is asked for in one turn is one read, of at most 32 rows; a missing row is undefined", async () => {
  const reads: (readonly string[])[] = [];
  const byId = createReadsById(async (ids) => {
    reads.push(ids);
    return ids.filter((id) => id !== "none").map((id) => ({ id }));
  });
  const ids = Array.from({ length: 40 }, (_, n) => `t_${n}`);
  expect(await Promise.all([...ids, "t_1", "none"].map(byId))).toEqual([
    ...ids.map((id) => ({ id })),
    { id: "t_1" },
    undefined,
  ]);
  expect(reads.map(({ length }) => length)).toEqual([32, 10]);
  await nextTurn();
  expect(await byId("t_1")).toEqual({ id: "t_1" });
  expect(reads.at(-1)).toEqual(["t_1"]);
});

test("a read that fails rejects those that asked, and no others", async () => {
  let fails = true;
  const byId = createReadsById(async (ids) => {
    if (fails) throw new Error("the server is gone");
    return ids.map((id) => ({ id }));
  });
  const ends = await Promise.allSettled([byId("a"), byId("b")]);
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  fails = false;
  expect(await byId("a")).toEqual({ id: "a" });
});
