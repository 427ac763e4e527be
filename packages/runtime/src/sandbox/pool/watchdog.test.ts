import { expect, test } from "vitest";

import { sharedNow } from "../thread/heartbeat.ts";
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
