import { XError } from "@x/model";

/** Runs a few calls of each user at once; the others wait in order of arrival. */
export interface UserQueues {
  /** Rejects with `rate_limited` when too many calls of the user wait. */
  run<T>(userId: string, call: () => Promise<T>): Promise<T>;
}

export interface UserQueueLimits {
  /** Most calls of one user that run at once. */
  readonly atOnce: number;
  /** Most calls of one user that wait. */
  readonly waiting: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export function createUserQueues({ atOnce, waiting }: UserQueueLimits): UserQueues {
  const lines = new Map<string, Line>();

  /** Resolves when the call may run. */
  async function enter(line: Line): Promise<void> {
    if (line.running < atOnce) {
      line.running += 1;
      return;
    }
    if (line.waiting.length >= waiting) {
      throw new XError("rate_limited", ["1"], { details: { retryAfterSeconds: 1 } });
    }
    // `leave` passes the turn of a finished call to the next one.
    await new Promise<void>((resolve) => {
      line.waiting.push(resolve);
    });
  }

  function leave(userId: string, line: Line): void {
    const next = line.waiting.shift();
    if (next) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) lines.delete(userId);
  }

  return {
    async run(userId, call) {
      const line = lines.get(userId) ?? { running: 0, waiting: [] };
      lines.set(userId, line);
      await enter(line);
      try {
        return await call();
      } finally {
        leave(userId, line);
      }
    },
  };
}
