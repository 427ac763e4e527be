import { XError } from "@x/runtime";

import { type Answer, discard } from "./answer.ts";
import { failureAnswer } from "./failure.ts";

/** Requests that wait for their answers. */
export interface PendingAnswers {
  /** Resolves with the answer, or with a `closed` error after `giveUp`. */
  wait(answer: Promise<Answer>): Promise<Answer>;
  /** Ends all present and later waits. */
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
            // The client already has the `closed` answer.
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
