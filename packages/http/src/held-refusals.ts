import { setTimeout as pause } from "node:timers/promises";

import type { Answer } from "./answer.ts";

/** How long a 429 waits, in milliseconds: a small part of its `Retry-After`, which is at least a second. */
const holdMs = 100;
/** More are sent at once, so that their memory is bounded. */
const maxHeld = 1_000;

/** Delays refusals of too many requests: a client that repeats them at once takes less time from the others. */
export interface HeldRefusals {
  /** Resolves with the answer: a 429 later, others at once. */
  pass(answer: Answer): Promise<Answer>;
}

export function createHeldRefusals(wait: (ms: number) => Promise<unknown> = pause): HeldRefusals {
  let held = 0;
  return {
    async pass(answer) {
      if (answer.status !== 429 || held >= maxHeld) return answer;
      held += 1;
      await wait(holdMs);
      held -= 1;
      return answer;
    },
  };
}
