import { closedReason, systemClock } from "@x/model";
import type { Attempted } from "./attempt.ts";

/** What an outbox does at the moment, by emitter. */
export interface OutboxWork {
  readonly isIdle: boolean;
  /** Adds the work on one delivery: its attempt and the commit of the result. Calls `next` when it has ended. */
  add(emitterId: string, task: Promise<void>, next: () => void): void;
  /** Makes an attempt; `end` may abort it. */
  attempt(
    emitterId: string,
    make: (signal: AbortSignal) => Promise<Attempted>,
  ): Promise<Attempted & { aborted: boolean }>;
  /** Waits at most `graceMs` for the work of these emitters, then aborts their attempts. Resolves when those have ended. */
  end(has: (emitterId: string) => boolean, graceMs: number): Promise<void>;
  /** Resolves when the present work of these emitters has ended. */
  ended(has: (emitterId: string) => boolean): Promise<unknown>;
}

/** An attempt under way. */
interface Attempt {
  readonly emitterId: string;
  readonly cancelled: AbortController;
  readonly done: Promise<Attempted>;
}

export function createOutboxWork(): OutboxWork {
  /** With their emitters. */
  const tasks = new Map<Promise<void>, string>();
  const attempts = new Set<Attempt>();

  const ended = (has: (emitterId: string) => boolean): Promise<unknown> =>
    Promise.all([...tasks].flatMap(([task, emitterId]) => (has(emitterId) ? [task] : [])));

  return {
    get isIdle() {
      return tasks.size === 0;
    },
    add(emitterId, task, next) {
      const tracked = task.then(() => {
        tasks.delete(tracked);
        next();
      });
      tasks.set(tracked, emitterId);
    },
    async attempt(emitterId, make) {
      const cancelled = new AbortController();
      const done = make(cancelled.signal);
      const attempt = { emitterId, cancelled, done };
      attempts.add(attempt);
      const attempted = await done.finally(() => attempts.delete(attempt));
      return { ...attempted, aborted: cancelled.signal.aborted };
    },
    async end(has, graceMs) {
      const waited = Promise.withResolvers<void>();
      const cancel = systemClock.wakeAt(systemClock.now() + graceMs, waited.resolve);
      await Promise.race([ended(has), waited.promise]);
      cancel();
      const late = [...attempts].filter(({ emitterId }) => has(emitterId));
      for (const { cancelled } of late) cancelled.abort(closedReason);
      // Not all tasks: the commit of a result may wait for the lane of its emitter.
      await Promise.all(late.map(({ done }) => done));
    },
    ended,
  };
}
