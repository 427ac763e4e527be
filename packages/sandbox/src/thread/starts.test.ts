import { expect, test } from "vitest";

import { createStarts, type Starts } from "./starts.ts";

test("calls start one after another, in the order of their arrival, also those that arrive meanwhile", async () => {
  const steps: string[] = [];
  const done = Promise.withResolvers<void>();
  const starts: Starts<string> = createStarts({
    async start(call: string) {
      steps.push(`${call} begins`);
      await Promise.resolve();
      if (call === "a") starts.add("c");
      steps.push(`${call} ${starts.isEmpty ? "is the last" : "ends"}`);
    },
    paused: () => {
      steps.push("pause");
      if (starts.isEmpty) done.resolve();
    },
  });
  expect(starts.isEmpty).toBe(true);
  starts.add("a");
  starts.add("b");
  await done.promise;
  expect(steps.join(", ")).toBe("a begins, a ends, pause, b begins, b ends, pause, c begins, c is the last, pause");
});

test("a call that arrives after the last one starts, too", async () => {
  const started: string[] = [];
  const starts: Starts<string> = createStarts({
    start: (call: string) => Promise.resolve(void started.push(call)),
    paused: () => undefined,
  });
  starts.add("a");
  await new Promise(setImmediate);
  starts.add("b");
  expect(started).toEqual(["a", "b"]);
});
