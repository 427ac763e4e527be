import { setImmediate as nextTurn } from "node:timers/promises";

import { monotonicMs } from "./clock.ts";

/** Longest use of the thread at a time. */
const sliceMs = 10;
/** Items of a list between two checks of the time. */
export const stepItems = 128;

/** Work that yields where other work may run. */
export type Steps<T> = Generator<void, T>;

/** Runs all steps without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Runs steps with pauses for other work. Work within one slice ends without a pause. */
export function inSlices<T>(steps: Steps<T>, pause: () => Promise<unknown> = nextTurn): T | Promise<T> {
  const since = monotonicMs();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (monotonicMs() - since >= sliceMs) return pause().then(() => inSlices(steps, pause));
  }
}

/** Makes a function for asynchronous work that pauses when a slice has passed since the last pause. */
export function createBreath(pause: () => Promise<unknown> = nextTurn): () => Promise<void> {
  let since = monotonicMs();
  return async () => {
    if (monotonicMs() - since < sliceMs) return;
    await pause();
    since = monotonicMs();
  };
}

/** `Array.map` in steps. */
export function* mapInSteps<T, U>(items: readonly T[], map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item, mapped.length));
    if (mapped.length % stepItems === 0) yield;
  }
  return mapped;
}
