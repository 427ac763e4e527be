import { systemClock, type Clock } from "@x/model";

/** Who waits for attempts to end, and what is to be done for them at a time. By the ids of the attempts. */
export interface AttemptWaits {
  /** Calls `work` at this time, in place of what was to be called before. */
  wake(id: string, at: number, work: () => void): void;
  /** Resolves at `release`, or after some seconds. */
  wait(id: string): Promise<void>;
  /** Lets all go on that wait, and calls nothing more. */
  release(id: string): void;
}

const maxWaitMs = 20_000;

export function createAttemptWaits(clock: Clock): AttemptWaits {
  const waiting = new Map<string, Set<() => void>>();
  const wakes = new Map<string, () => void>();
  return {
    wake(id, at, work) {
      wakes.get(id)?.();
      wakes.set(id, clock.wakeAt(at, work));
    },
    wait: (id) =>
      new Promise((resolve) => {
        const all = waiting.get(id) ?? new Set();
        waiting.set(id, all);
        const end = (): void => {
          cancel();
          all.delete(end);
          resolve();
        };
        // Real time: a client waits for an answer.
        const cancel = systemClock.wakeAt(systemClock.now() + maxWaitMs, end);
        all.add(end);
      }),
    release(id) {
      for (const end of waiting.get(id) ?? []) end();
      waiting.delete(id);
      wakes.get(id)?.();
      wakes.delete(id);
    },
  };
}
