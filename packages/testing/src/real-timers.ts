import { HarnessError } from "./harness-error.ts";

/** Every one of them moves the runtime on. */
const timersOf = (): { readonly [name: string]: unknown } => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  queueMicrotask: globalThis.queueMicrotask,
  nextTick: process.nextTick,
});

const atFirst = timersOf();

/** Those of `@sinonjs/fake-timers`, which test runners use, name their clock: they may have been there before this file. */
const hasClock = (timer: unknown): boolean => typeof timer === "function" && "clock" in timer;

/** Throws where timers are faked: the runtime would wait for them without end. A fake `Date` alone does no harm. */
export function checkTimers(): void {
  const faked = Object.entries(timersOf()).find(([name, timer]) => timer !== atFirst[name] || hasClock(timer));
  if (!faked) return;
  throw new HarnessError(
    `This test has fake timers (${faked[0]} is not the real one), on which the runtime would wait without end. A source has a clock of its own: begin it with now: "2026-01-01T00:00:00Z", move it with tick("3m"), and leave out vi.useFakeTimers(). For code of the test itself, fake its Date only: vi.useFakeTimers({ toFake: ["Date"] }).`,
  );
}
