import { sharedNow } from "../thread/heartbeat.ts";
import type { Job } from "./job.ts";
import type { Seat } from "./seat.ts";
import { inTurn, sourceAccount, userAccount } from "./turns.ts";
import type { Usage } from "./usage.ts";

/** Looks may come late on a busy machine, where the job has had no processor for all that time either. */
const mostCountedMs = 30;

export interface ProcessorsParts {
  readonly cores: number;
  readonly seats: ReadonlySet<Seat>;
  readonly usage: Usage;
  jobOf(id: number): Job | undefined;
}

/**
 * Shares the processors between long jobs: as many go on as there are cores, one less while anything else wants one, and
 * take turns by what they have used. The others wait in their threads.
 */
export interface Processors {
  /** Counts what was used since the last look, and hands on the turns. */
  look(now: number): void;
}

export function createProcessors({ cores, seats, usage, jobOf }: ProcessorsParts): Processors {
  let lookedAt = sharedNow();
  const paused = new Map<Seat, number>();
  // All of them are heavy.
  const known = { usage, weightOf: () => undefined };

  function count(seat: Seat, job: Job, sinceMs: number, now: number): void {
    if (paused.get(seat) === job.id) {
      if (job.isTimedByCpu) seat.beat.extend(sinceMs);
      return;
    }
    const ms = Math.min(mostCountedMs, sinceMs);
    job.cpuMs += ms;
    usage.charge(userAccount(job), ms, now);
    usage.charge(sourceAccount(job), ms, now);
  }

  return {
    look(now) {
      const sinceLast = now - lookedAt;
      lookedAt = now;
      const long = new Map<Job, Seat>();
      let others = false;
      for (const seat of seats) {
        const { callId, enteredAt } = seat.beat.read();
        const job = callId === 0 ? undefined : jobOf(callId);
        if (job) job.seenAt = now;
        if (job) count(seat, job, Math.max(0, Math.min(sinceLast, now - enteredAt)), now);
        if (job?.isLong === true && !seat.closed) long.set(job, seat);
        else others ||= seat.calls.size > 0 && (!seat.ready || callId !== 0);
      }
      const atOnce = others ? Math.max(1, cores - 1) : cores;
      const running = new Set(inTurn([...long.keys()], known, now).slice(0, atOnce));
      for (const seat of paused.keys()) if (!seats.has(seat)) paused.delete(seat);
      for (const [job, seat] of long) {
        const waits = !running.has(job);
        seat.beat.pause(waits ? job.id : 0);
        if (waits) paused.set(seat, job.id);
        else paused.delete(seat);
      }
    },
  };
}
