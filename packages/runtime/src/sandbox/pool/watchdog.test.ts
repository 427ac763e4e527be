import { expect, test } from "vitest";

import { defaults } from "../../api/options.ts";
import { loadEngineCode, readEngineFiles } from "../machine/engine-files.ts";
import { sharedNow } from "../thread/heartbeat.ts";
import { createSeat } from "./seat.ts";
import { createWatchdog } from "./watchdog.ts";

test("S24 a thread that stays in the host's own code after it was ended is let go of", async () => {
  const deadline = sharedNow();
  const steps: string[] = [];
  const over = Promise.withResolvers<void>();
  const seat = {
    beat: {
      enter: () => undefined,
      leave: () => undefined,
      read: () => ({ callId: 1, enteredAt: deadline, deadline }),
    },
    closed: false,
    terminate() {
      steps.push("ended");
      return over.promise;
    },
    abandon() {
      steps.push("let go");
      seats.delete(seat);
      over.resolve();
    },
  };
  const seats = new Set([seat]);
  const watchdog = createWatchdog({ seats, isIdle: () => seats.size === 0, hogged: () => undefined });
  watchdog.watch();
  await over.promise;
  watchdog.stop();
  expect(steps).toEqual(["ended", "let go"]);
});

test("S24 whoever waits for a thread to end waits no longer when it is let go of", async () => {
  const gone: string[] = [];
  const data = {
    engine: await loadEngineCode(readEngineFiles()),
    tickets: new SharedArrayBuffer(4),
    base: undefined,
    idleBytes: 0,
    memoryBytes: defaults.memoryBytes,
    rules: defaults,
    instrumented: false,
  };
  const seat = createSeat(data, { message: () => undefined, gone: (_seat, problem) => gone.push(problem) });
  let isOver = false;
  const ended = seat.terminate().then(() => (isOver = true));
  seat.abandon();
  // The end of a thread is heard in a later turn of the loop.
  await Promise.resolve();
  await Promise.resolve();
  expect([gone, isOver]).toEqual([["the thread ended"], true]);
  await ended;
});
