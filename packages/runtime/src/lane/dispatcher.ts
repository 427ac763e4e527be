/** One first-in-first-out lane per source: one job at a time in a lane, many lanes at once (G40). */
export interface Dispatcher {
  /** Runs the job when every earlier job of the lane has ended; a failed job does not stop the lane. */
  run<T>(lane: string, job: () => Promise<T>): Promise<T>;
  isBusy(lane: string): boolean;
  /** Resolves when every lane is empty. */
  idle(): Promise<void>;
}

export function createDispatcher(): Dispatcher {
  const tails = new Map<string, Promise<unknown>>();
  let waiting: (() => void)[] = [];

  return {
    run(lane, job) {
      const before = tails.get(lane);
      const result = before ? before.then(job, job) : job();
      const tail = result.then(
        () => settle(),
        () => settle(),
      );
      const settle = (): void => {
        if (tails.get(lane) !== tail) return;
        tails.delete(lane);
        if (tails.size > 0) return;
        for (const resolve of waiting.splice(0)) resolve();
      };
      tails.set(lane, tail);
      return result;
    },
    isBusy: (lane) => tails.has(lane),
    idle: () => (tails.size === 0 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve]))),
  };
}
