import { expect, test } from "vitest";

import { defaults } from "../../../model/src/limits.ts";
import { sharedNow } from "../thread/shared-clock.ts";
import { createWorkerThread } from "./worker-thread.ts";
import { createWatchdog } from "./watchdog.ts";

test("S24 a thread that stays in host code after it was ended is abandoned", async () => {
  const deadline = sharedNow();
  const steps: string[] = [];
  const over = Promise.withResolvers<void>();
  const thread = {
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
      steps.push("abandoned");
      threads.delete(thread);
      over.resolve();
    },
  };
  const threads = new Set([thread]);
  const watchdog = createWatchdog({ threads, isIdle: () => threads.size === 0, busy: () => undefined });
  watchdog.watch();
  await over.promise;
  watchdog.stop();
  expect(steps).toEqual(["ended", "abandoned"]);
});

test("S24 abandoning a thread settles the promise of its end", async () => {
  const gone: string[] = [];
  const data = {
    tickets: new SharedArrayBuffer(4),
    rules: defaults,
    instrumented: false,
  };
  const thread = createWorkerThread({}, data, {
    message: () => undefined,
    gone: (_thread, problem) => gone.push(problem),
  });
  let isOver = false;
  const ended = thread.terminate().then(() => (isOver = true));
  thread.abandon();
  // The thread's exit event comes in a later turn of the event loop.
  await Promise.resolve();
  await Promise.resolve();
  expect([gone, isOver]).toEqual([["the thread ended"], true]);
  await ended;
});
