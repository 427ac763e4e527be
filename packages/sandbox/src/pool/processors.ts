import { sharedNow } from "../thread/shared-clock.ts";
import type { Job } from "./job.ts";
import { inFairOrder, sourceAccount, type Usage, userAccount } from "./fair-queue.ts";
import type { WorkerThread } from "./worker-thread.ts";

/** Rounds may come late on a busy machine, and then the job did not have a processor all that time. */
const maxCountedMs = 30;

export interface ProcessorsParts {
  readonly cores: number;
  readonly threads: ReadonlySet<WorkerThread>;
  readonly usage: Usage;
  jobOf(id: number): Job | undefined;
}

/**
 * Shares the processors between long jobs. As many run as there are cores, one less while other jobs run; they take turns by
 * their usage. The others wait in their threads.
 */
export interface Processors {
  /** Counts the CPU time since the last round, and decides which long jobs run. */
  share(now: number): void;
}

export function createProcessors({ cores, threads, usage, jobOf }: ProcessorsParts): Processors {
  let lastRoundAt = sharedNow();
  const paused = new Map<WorkerThread, number>();
  // All long jobs are heavy.
  const rules = { usage, weightOf: () => undefined };

  function count(thread: WorkerThread, job: Job, sinceMs: number, now: number): void {
    if (paused.get(thread) === job.id) {
      if (job.isTimedByCpu) thread.beat.extend(sinceMs);
      return;
    }
    const ms = Math.min(maxCountedMs, sinceMs);
    job.cpuMs += ms;
    usage.charge(userAccount(job), ms, now);
    usage.charge(sourceAccount(job), ms, now);
  }

  return {
    share(now) {
      const sinceLast = now - lastRoundAt;
      lastRoundAt = now;
      const long = new Map<Job, WorkerThread>();
      let others = false;
      for (const thread of threads) {
        const { callId, enteredAt } = thread.beat.read();
        const job = callId === 0 ? undefined : jobOf(callId);
        if (job) job.seenAt = now;
        if (job) count(thread, job, Math.max(0, Math.min(sinceLast, now - enteredAt)), now);
        if (job?.isLong === true && !thread.closed) long.set(job, thread);
        else others ||= thread.calls.size > 0 && (!thread.ready || callId !== 0);
      }
      const atOnce = others ? Math.max(1, cores - 1) : cores;
      const running = new Set(inFairOrder([...long.keys()], rules, now).slice(0, atOnce));
      for (const thread of paused.keys()) if (!threads.has(thread)) paused.delete(thread);
      for (const [job, thread] of long) {
        const waits = !running.has(job);
        thread.beat.pause(waits ? job.id : 0);
        if (waits) paused.set(thread, job.id);
        else paused.delete(thread);
      }
    },
  };
}
