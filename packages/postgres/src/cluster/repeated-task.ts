import { systemClock } from "@x/runtime";

/** Work that is repeated: after a time, and whenever somebody wakes it. One run at a time. */
export interface RepeatedTask {
  /** Resolves when a run that began after the call has ended. */
  wake(): Promise<void>;
  /** Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** `run` begins with the first `wake`; what it throws goes to `failed`. */
export function createRepeatedTask(
  everyMs: number,
  run: () => Promise<void>,
  failed: (error: unknown) => void,
): RepeatedTask {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let cancel: (() => void) | undefined;
  let isStopped = false;

  async function runOnce(): Promise<void> {
    if (isStopped) return;
    try {
      await run();
    } catch (error) {
      failed(error);
    }
  }

  function start(): Promise<void> {
    next = undefined;
    const current = runOnce().then(() => {
      running = undefined;
      if (!isStopped && !next) cancel = systemClock.wakeAt(systemClock.now() + everyMs, () => void wake());
      return undefined;
    });
    running = current;
    return current;
  }

  function wake(): Promise<void> {
    cancel?.();
    cancel = undefined;
    return running ? (next ??= running.then(start)) : start();
  }

  return {
    wake,
    async stop() {
      isStopped = true;
      cancel?.();
      await next;
      await running;
    },
  };
}
