import { XError } from "../../model/errors.ts";

/** Calls for which somebody waits: a few of each user at once, the others in the order in which they came. */
export interface Turns {
  /** Rejects with `rate_limited` when too many of the user's calls wait already. */
  run<T>(userId: string, call: () => Promise<T>): Promise<T>;
}

export interface TurnsLimits {
  /** Calls of one user that run at once. */
  readonly atOnce: number;
  /** Calls of one user that wait. */
  readonly waiting: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export function createTurns({ atOnce, waiting }: TurnsLimits): Turns {
  const lines = new Map<string, Line>();

  /** Resolves when it is the caller's turn. */
  async function enter(line: Line): Promise<void> {
    if (line.running < atOnce) {
      line.running += 1;
      return;
    }
    if (line.waiting.length >= waiting) {
      throw new XError("rate_limited", ["1"], { details: { retryAfterSeconds: 1 } });
    }
    // Whoever leaves hands its turn on.
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
