/** Runs jobs one at a time. */
export interface JobQueue {
  /** `inBackground`: the job has low priority. */
  take<T>(work: () => Promise<T>, inBackground: boolean): Promise<T>;
  /** Resolves when nothing runs or waits. */
  ended(): Promise<void>;
}

/** Number of other jobs after which a waiting background job runs. */
const maxBefore = 8;

export function createJobQueue(): JobQueue {
  const waited: (() => Promise<void>)[] = [];
  const background: (() => Promise<void>)[] = [];
  let before = 0;
  let running: Promise<void> | undefined;

  function next(): (() => Promise<void>) | undefined {
    const isBackground = background.length > 0 && (waited.length === 0 || before >= maxBefore);
    before = isBackground || background.length === 0 ? 0 : before + 1;
    return (isBackground ? background : waited).shift();
  }

  async function run(): Promise<void> {
    for (let work = next(); work; work = next()) await work();
    running = undefined;
  }

  return {
    take(work, inBackground) {
      return new Promise((resolve, reject) => {
        (inBackground ? background : waited).push(() => work().then(resolve, reject));
        running ??= run();
      });
    },
    ended: () => running ?? Promise.resolve(),
  };
}
