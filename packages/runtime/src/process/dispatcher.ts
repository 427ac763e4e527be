/** Order of a job in its lane: `first` jobs run before waiting `last` jobs. */
export type Turn = "first" | "last";

/** Runs one job at a time in each lane, and many lanes at once. Each source has a lane. */
export interface Dispatcher {
  /**
   * Runs the job when the lane is free; jobs of the same turn run in the order of their calls. A failed job does not
   * stop the lane. Changes of a source take the `first` turn, so that a long queue of runs does not delay them.
   */
  run<T>(lane: string, job: () => Promise<T>, turn?: Turn): Promise<T>;
  /** Resolves when the lane is free. The lane stays busy until the result is disposed of. */
  enter(lane: string, turn?: Turn): Promise<Disposable>;
  isBusy(lane: string): boolean;
  /** Resolves when every lane is empty. */
  idle(): Promise<void>;
}

type Queues = { readonly [turn in Turn]: (() => void)[] };

export function createDispatcher(): Dispatcher {
  /** Waiting jobs of each lane that has a running job. */
  const lanes = new Map<string, Queues>();
  let waiting: (() => void)[] = [];

  function next(lane: string, queues: Queues): void {
    const job = queues.first.shift() ?? queues.last.shift();
    if (job) {
      job();
      return;
    }
    lanes.delete(lane);
    if (lanes.size > 0) return;
    for (const resolve of waiting.splice(0)) resolve();
  }

  function begin<T>(lane: string, queues: Queues, job: () => Promise<T>): Promise<T> {
    const result = job();
    const end = (): void => next(lane, queues);
    result.then(end, end);
    return result;
  }

  function run<T>(lane: string, job: () => Promise<T>, turn: Turn = "last"): Promise<T> {
    const busy = lanes.get(lane);
    if (busy) {
      return new Promise((resolve) => {
        busy[turn].push(() => resolve(begin(lane, busy, job)));
      });
    }
    const queues = { first: [], last: [] };
    lanes.set(lane, queues);
    return begin(lane, queues, job);
  }

  return {
    run,
    enter: (lane, turn) =>
      new Promise((resolve) => {
        const stay = (): Promise<void> => new Promise((leave) => resolve({ [Symbol.dispose]: leave }));
        void run(lane, stay, turn);
      }),
    isBusy: (lane) => lanes.has(lane),
    idle: () => (lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => (waiting = [...waiting, resolve]))),
  };
}
