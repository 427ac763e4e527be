/** Work in the background. */
export interface Tasks {
  begin(work: () => Promise<void>): void;
  /** Resolves when no work is left. */
  ended(): Promise<void>;
}

/** `failed` is called with the error of each task that rejects. */
export function createTasks(failed: (error: unknown) => void): Tasks {
  const running = new Set<Promise<void>>();
  return {
    begin(work) {
      const done: Promise<void> = work()
        .catch(failed)
        .finally(() => running.delete(done));
      running.add(done);
    },
    async ended() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** Waits for one turn of the event loop, so that messages are printed in order: logs before their error, events before their run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
