import { setImmediate as nextTurn } from "node:timers/promises";

import { monotonicMs } from "./clock.ts";

/** How long work holds the thread at a time. */
const sliceMs = 10;
/** Items of a list between two looks at the time. */
export const stepItems = 128;

/** Work that says, between its steps, where others may have the thread. */
export type Steps<T> = Generator<void, T>;

/** All of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Lets others have the thread in between. What takes no longer than a slice ends at once. */
export function inSlices<T>(steps: Steps<T>, pause: () => Promise<unknown> = nextTurn): T | Promise<T> {
  const since = monotonicMs();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (monotonicMs() - since >= sliceMs) return pause().then(() => inSlices(steps, pause));
  }
}

/** The same for work that waits in between anyhow: called now and then, it lets others have the thread when it is time. */
export function createBreath(pause: () => Promise<unknown>): () => Promise<void> {
  let since = monotonicMs();
  return async () => {
    if (monotonicMs() - since < sliceMs) return;
    await pause();
    since = monotonicMs();
  };
}

/** A list's `map` in steps. */
export function* mapInSteps<T, U>(items: readonly T[], map: (item: T, index: number) => U): Steps<U[]> {
  const mapped: U[] = [];
  for (const item of items) {
    mapped.push(map(item, mapped.length));
    if (mapped.length % stepItems === 0) yield;
  }
  return mapped;
}
