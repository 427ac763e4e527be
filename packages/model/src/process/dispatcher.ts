/** Order of a job in its lane: `first` jobs run before waiting `last` jobs. */
export type Turn = "first" | "last";

/** Runs one job at a time in each lane, and many lanes at once. Each source has a lane. */
export interface Dispatcher {
  /**
   * Runs the job when the lane is free; jobs of the same turn run in the order of their calls. A failed job does not
   * stop the lane. Changes of a source take the `first` turn, so that a long queue of runs does not delay them.
   */
  run<T>(lane: string, job: () => Promise<T>, turn?: Turn): Promise<T>;
  /** Runs the job as `run` does, last, and ignores its result: of tens of thousands of waiting jobs, each holds one closure. */
  post(lane: string, job: () => Promise<unknown>): void;
  /**
   * For a job under way that has to be repeated: this job is the next one of its lane, after the function that is returned has
   * been called. Until then the lane is busy, so that nothing passes it, but `idle` does not wait for it.
   */
  hold(lane: string, job: () => Promise<unknown>): () => void;
  /** Resolves when the lane is free. The lane stays busy until the result is disposed of. */
  enter(lane: string, turn?: Turn): Promise<Disposable>;
  isBusy(lane: string): boolean;
  /** Resolves when every lane is empty, or every lane for which `has` is true; true when it had to wait for that. */
  idle(has?: (lane: string) => boolean): Promise<boolean>;
}

type Job = () => Promise<unknown>;
type Queues = { readonly [turn in Turn]: Job[] } & { isRunning: boolean; isHeld: boolean };

/** Waits until these lanes are empty. */
interface Waiting {
  readonly busy: Set<string>;
  readonly resolve: () => void;
}

export function createDispatcher(): Dispatcher {
  /** Waiting jobs of each lane that has a running job. */
  const lanes = new Map<string, Queues>();
  let waiting: Waiting[] = [];

  function next(lane: string, queues: Queues): void {
    const job = queues.isHeld ? undefined : (queues.first.shift() ?? queues.last.shift());
    if (job) {
      void begin(lane, queues, job);
      return;
    }
    if (!queues.isHeld) lanes.delete(lane);
    if (waiting.length > 0) waiting = waiting.filter((each) => !leave(each, lane));
  }

  /** Takes a lane that is empty from those that are waited for; true when it was the last one. */
  function leave({ busy, resolve }: Waiting, lane: string): boolean {
    busy.delete(lane);
    if (busy.size === 0) resolve();
    return busy.size === 0;
  }

  function begin<T>(lane: string, queues: Queues, job: () => Promise<T>): Promise<T> {
    queues.isRunning = true;
    const result = job();
    const end = (): void => {
      queues.isRunning = false;
      next(lane, queues);
    };
    result.then(end, end);
    return result;
  }

  function addLane(lane: string): Queues {
    const queues = { first: [], last: [], isRunning: false, isHeld: false };
    lanes.set(lane, queues);
    return queues;
  }

  const beginLane = <T>(lane: string, job: () => Promise<T>): Promise<T> => begin(lane, addLane(lane), job);

  function hold(lane: string, job: Job): () => void {
    const queues = lanes.get(lane) ?? addLane(lane);
    queues.last.unshift(job);
    queues.isHeld = true;
    return () => {
      queues.isHeld = false;
      if (!queues.isRunning) next(lane, queues);
    };
  }

  function run<T>(lane: string, job: () => Promise<T>, turn: Turn = "last"): Promise<T> {
    const busy = lanes.get(lane);
    if (!busy) return beginLane(lane, job);
    return new Promise((resolve) => {
      busy[turn].push(() => {
        const result = job();
        resolve(result);
        return result;
      });
    });
  }

  function post(lane: string, job: Job): void {
    const busy = lanes.get(lane);
    if (busy) busy.last.push(job);
    else void beginLane(lane, job);
  }

  return {
    run,
    post,
    hold,
    enter: (lane, turn) =>
      new Promise((resolve) => {
        const stay = (): Promise<void> => new Promise((leave) => resolve({ [Symbol.dispose]: leave }));
        void run(lane, stay, turn);
      }),
    isBusy: (lane) => lanes.has(lane),
    async idle(has = () => true) {
      // Jobs of a lane may begin others.
      for (let waited = false; ; waited = true) {
        const running = [...lanes].filter(([, { isRunning, isHeld }]) => isRunning || !isHeld);
        const busy = new Set(running.map(([lane]) => lane).filter(has));
        if (busy.size === 0) return waited;
        await new Promise<void>((resolve) => {
          waiting.push({ busy, resolve });
        });
      }
    },
  };
}
