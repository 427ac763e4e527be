import { expect, test } from "vitest";

import { createTurns } from "./turns.ts";

test("what somebody waits for goes before what is in the background", async () => {
  const turns = createTurns();
  const done: string[] = [];
  const take = (name: string, inBackground: boolean): Promise<number> =>
    turns.take(() => Promise.resolve(done.push(name)), inBackground);
  const all = [take("file 1", true), take("file 2", true), take("deploy 1", false), take("deploy 2", false)];
  await turns.ended();
  expect(done).toEqual(["file 1", "deploy 1", "deploy 2", "file 2"]);
  expect(await Promise.all(all)).toEqual([1, 4, 2, 3]);
});

test("a build in the background comes to its turn however many others there are", async () => {
  const turns = createTurns();
  const done: string[] = [];
  const take = (name: string, inBackground: boolean): void =>
    void turns.take(() => Promise.resolve(done.push(name)), inBackground);
  take("first", false);
  take("file", true);
  for (let number = 0; number < 20; number += 1) take("deploy", false);
  await turns.ended();
  expect(done.indexOf("file")).toBe(9);
  expect(done).toHaveLength(22);
});

test("a build that fails holds up no other", async () => {
  const turns = createTurns();
  const failed = turns.take(() => Promise.reject(new Error("broken")), false);
  const built = turns.take(() => Promise.resolve("built"), true);
  await expect(failed).rejects.toThrow("broken");
  expect(await built).toBe("built");
  await turns.ended();
});
