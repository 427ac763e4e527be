import type { Job } from "./job.ts";
import { hasRoom, longBounds } from "./long-jobs.ts";
import { createRecent } from "./recent.ts";
import type { WorkerThread } from "./worker-thread.ts";
import { isBusy, type WorkerThreads } from "./worker-threads.ts";

/** What a source did counts for at least so long. */
const memoryMs = 600_000;

/** Whether the last job of a source was long. */
export type Weight = "heavy" | "light";

/**
 * Chooses the thread of a job: the one that ran its source before, else the one with the fewest jobs. A long job gets a
 * thread without other jobs if there is or may be one, and some threads are left to short jobs. A source whose last job
 * was long starts as long.
 */
export interface Placement {
  /** Undefined: no thread is free; one more boots if there may be more. */
  find(job: Job): WorkerThread | undefined;
  /** Whether a thread is free for short jobs; if not, one more boots if there may be more. */
  isOpen(): boolean;
  /** The long jobs in threads, each with its thread. */
  long(): Map<Job, WorkerThread>;
  /** The thread runs the job's source from now on. */
  settle(job: Job, thread: WorkerThread, now: number): void;
  /** Forgets a thread that is gone, which its sources would keep in memory. */
  forget(thread: WorkerThread): void;
  /** Records whether a job of the source was long. */
  note(sourceId: string, weight: Weight, now: number): void;
  /** Weight of the source's last job; undefined: the source has not run lately. */
  weightOf(sourceId: string): Weight | undefined;
}

export interface PlacementParts {
  readonly threads: Pick<WorkerThreads, "used" | "most" | "warm" | "addIfRoom">;
  jobOf(id: number): Job | undefined;
}

export function createPlacement({ threads, jobOf }: PlacementParts): Placement {
  const weights = createRecent<Weight>(memoryMs);
  const homes = createRecent<WorkerThread>(memoryMs);

  const isOpen = (thread: WorkerThread): boolean => thread.ready && !thread.closed && !isBusy(thread);
  const longIn = (thread: WorkerThread): Job | undefined => {
    for (const id of thread.calls) {
      const job = jobOf(id);
      if (job?.isLong === true) return job;
    }
    return undefined;
  };
  /** The source's last thread, else the one with the fewest jobs. */
  const best = (open: readonly WorkerThread[], { sourceId }: Job): WorkerThread | undefined => {
    const home = homes.get(sourceId);
    if (home && open.includes(home)) return home;
    return open.reduce<WorkerThread | undefined>(
      (found, thread) => (found && found.calls.size <= thread.calls.size ? found : thread),
      undefined,
    );
  };

  const forShort = (): readonly WorkerThread[] =>
    [...threads.used].filter((thread) => isOpen(thread) && !longIn(thread));

  /**
   * Where there may be no more threads, a long job joins those that wait in one, and they leave it if it lasts. The thread
   * may still boot.
   */
  function findForLong(job: Job): WorkerThread | undefined {
    const used = [...threads.used].filter((thread) => thread.ready && !thread.closed);
    const long = used.flatMap((thread) => longIn(thread) ?? []);
    const mayBegin = hasRoom(long, job, longBounds(used.length, threads.most));
    const empty = used.filter((thread) => isOpen(thread) && thread.calls.size === 0);
    if (mayBegin && empty.length > 0) return best(empty, job);
    if (mayBegin && used.length >= threads.most) return best(forShort(), job);
    const added = hasRoom(long, job, longBounds(threads.most, threads.most)) ? threads.addIfRoom() : undefined;
    return mayBegin ? added : undefined;
  }

  return {
    find(job) {
      threads.warm();
      const found = job.isLong ? findForLong(job) : (best(forShort(), job) ?? threads.addIfRoom());
      return found?.ready === true ? found : undefined;
    },
    isOpen() {
      threads.warm();
      return forShort().length > 0 || threads.addIfRoom()?.ready === true;
    },
    long() {
      const found = new Map<Job, WorkerThread>();
      for (const thread of threads.used) {
        const job = thread.closed ? undefined : longIn(thread);
        if (job) found.set(job, thread);
      }
      return found;
    },
    settle: ({ sourceId }, thread, now) => homes.set(sourceId, thread, now),
    forget(thread) {
      for (const [sourceId, home] of homes.entries()) if (home === thread) homes.delete(sourceId);
    },
    note: (sourceId, weight, now) => weights.set(sourceId, weight, now),
    weightOf: (sourceId) => weights.get(sourceId),
  };
}
