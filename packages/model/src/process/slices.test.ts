import { expect, it } from "vitest";

import { atOnce, inSlices, mapInSteps, type Steps } from "./slices.ts";

const spin = (): void => {
  const end = performance.now() + 4;
  while (performance.now() < end);
};

function* slowly(steps: number): Steps<number> {
  for (let step = 0; step < steps; step++) {
    spin();
    yield;
  }
  return steps;
}

it("short work ends without a pause and keeps its order", () => {
  expect(inSlices(mapInSteps([1, 2], (item) => String(item)))).toEqual(["1", "2"]);
  expect(atOnce(mapInSteps([...Array(1_000).keys()], (item) => 2 * item)).slice(-2)).toEqual([1_996, 1_998]);
});

it("other work runs during long work", async () => {
  let turns = 0;
  const pause = async (): Promise<void> => {
    turns += 1;
    await new Promise((resolve) => setImmediate(resolve));
  };
  expect(await inSlices(slowly(20), pause)).toBe(20);
  expect(turns).toBeGreaterThan(3);
});

it("an error in a later slice rejects", async () => {
  function* failing(): Steps<never> {
    yield* slowly(10);
    throw new Error("late");
  }
  await expect(Promise.resolve(inSlices(failing()))).rejects.toThrow("late");
});
