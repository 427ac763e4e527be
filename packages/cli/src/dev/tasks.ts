/** Work that nobody waits for until the end. */
export interface Tasks {
  begin(work: () => Promise<void>): void;
  /** Resolves when none is under way. */
  ended(): Promise<void>;
}

/** `failed` hears of what goes wrong. */
export function createTasks(failed: (error: unknown) => void): Tasks {
  const underWay = new Set<Promise<void>>();
  return {
    begin(work) {
      const done: Promise<void> = work()
        .catch(failed)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

/** Lets what is under way in this turn be told first: logs before the error that followed them, events before their run. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
