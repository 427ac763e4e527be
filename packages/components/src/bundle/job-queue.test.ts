import { expect, test } from "vitest";

import { createJobQueue } from "./job-queue.ts";

test("what somebody waits for goes before what is in the background", async () => {
  const jobs = createJobQueue();
  const done: string[] = [];
  const take = (name: string, inBackground: boolean): Promise<number> =>
    jobs.take(() => Promise.resolve(done.push(name)), inBackground);
  const all = [take("file 1", true), take("file 2", true), take("deploy 1", false), take("deploy 2", false)];
  await jobs.ended();
  expect(done).toEqual(["file 1", "deploy 1", "deploy 2", "file 2"]);
  expect(await Promise.all(all)).toEqual([1, 4, 2, 3]);
});

test("a build in the background comes to its turn however many others there are", async () => {
  const jobs = createJobQueue();
  const done: string[] = [];
  const take = (name: string, inBackground: boolean): void =>
    void jobs.take(() => Promise.resolve(done.push(name)), inBackground);
  take("first", false);
  take("file", true);
  for (let number = 0; number < 20; number += 1) take("deploy", false);
  await jobs.ended();
  expect(done.indexOf("file")).toBe(9);
  expect(done).toHaveLength(22);
});

test("a build that fails holds up no other", async () => {
  const jobs = createJobQueue();
  const failed = jobs.take(() => Promise.reject(new Error("broken")), false);
  const built = jobs.take(() => Promise.resolve("built"), true);
  await expect(failed).rejects.toThrow("broken");
  expect(await built).toBe("built");
  await jobs.ended();
});
