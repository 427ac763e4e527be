import { HarnessError } from "./harness-error.ts";

/** The timers that the runtime needs. */
const timersOf = (): { readonly [name: string]: unknown } => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  setImmediate: globalThis.setImmediate,
  queueMicrotask: globalThis.queueMicrotask,
  nextTick: process.nextTick,
});

const real = timersOf();

/** `@sinonjs/fake-timers` sets `clock` on its timers: this finds fakes that were installed before this file was loaded. */
const hasClock = (timer: unknown): boolean => typeof timer === "function" && "clock" in timer;

/** Throws when timers are faked: the runtime would wait for ever. A fake `Date` alone is allowed. */
export function checkTimers(): void {
  const faked = Object.entries(timersOf()).find(([name, timer]) => timer !== real[name] || hasClock(timer));
  if (!faked) return;
  throw new HarnessError(
    `This test has fake timers (${faked[0]} is not the real one), so the runtime would wait for ever. A source has its own clock: set it with now: "2026-01-01T00:00:00Z", move it with tick("3m"), and remove vi.useFakeTimers(). For code of the test, fake only Date: vi.useFakeTimers({ toFake: ["Date"] }).`,
  );
}
