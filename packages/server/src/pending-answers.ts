import { XError } from "@x/runtime";

import { type Answer, discard } from "./answer.ts";
import { failureAnswer } from "./failure.ts";

/** Requests whose answers are not there yet. */
export interface PendingAnswers {
  /** The answer; `closed` when it is given up before it is there. */
  wait(answer: Promise<Answer>): Promise<Answer>;
  /** Gives up what is not there now, and whatever is waited for later. */
  giveUp(): void;
}

const closed = (): Answer => failureAnswer(new XError("closed", []), () => undefined);

export function createPendingAnswers(): PendingAnswers {
  const pending = new Set<() => void>();
  let isGivenUp = false;
  return {
    wait: (answer) =>
      new Promise((resolve, reject) => {
        let isOver = false;
        const end = (): void => {
          isOver = true;
          resolve(closed());
        };
        pending.add(end);
        if (isGivenUp) end();
        answer
          .then((given) => {
            // Nobody is told any more.
            if (isOver) discard(given);
            else resolve(given);
          }, reject)
          .finally(() => pending.delete(end));
      }),
    giveUp() {
      isGivenUp = true;
      for (const end of pending) end();
    },
  };
}
