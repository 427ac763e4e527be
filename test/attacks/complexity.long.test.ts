import { expect, test } from "vitest";

import { complexInputs } from "./complexity/all.ts";
import type { ComplexInput } from "./complexity/complex-input.ts";

/** The longest use of the main thread by one input, in ms of its processor. */
const mostMs = 250;
/** How much longer twice the input may take. */
const mostGrowth = 2.5;
/** Below, the measurement is mostly noise, in ms. */
const noiseMs = 20;

/** The processor time of this thread, in ms: what other threads and processes do meanwhile does not count. */
async function measure(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The least of three measurements: collections of garbage and a busy machine's caches only add to it. */
async function measureSize(prepare: ComplexInput["prepare"], size: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) times.push(await measure(await prepare(Math.ceil(size))));
  return Math.min(...times);
}

test.each(complexInputs)(
  "$id holds the main thread for a bounded time, and twice the input not more than twice as long",
  async ({ size, prepare }) => {
    // Compiles what runs.
    await (
      await prepare(Math.ceil(size / 8))
    )();
    const half = await measureSize(prepare, size / 2);
    const whole = await measureSize(prepare, size);
    expect(whole).toBeLessThan(mostMs);
    expect(whole).toBeLessThan(Math.max(half, noiseMs) * mostGrowth);
  },
);
