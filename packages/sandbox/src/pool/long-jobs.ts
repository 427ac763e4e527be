import type { Job } from "./job.ts";
import type { WorkerThread } from "./worker-thread.ts";
import type { WorkerThreads } from "./worker-threads.ts";

/** A job with so much CPU time is long. */
const longMs = 250;
/** The same while others wait for a thread. */
const longMsWhileOthersWait = 50;

export const isLong = (cpuMs: number, othersWait: boolean): boolean =>
  cpuMs >= (othersWait ? longMsWhileOthersWait : longMs);

/** A long job that has not been in guest code for so long, because it waits, is short again. */
const calmMs = 1_000;

export const isCalm = ({ seenAt }: Pick<Job, "seenAt">, now: number): boolean => now - seenAt > calmMs;

/** How many threads long jobs may use. */
export interface LongBounds {
  readonly most: number;
  readonly ofUser: number;
}

/** Leaves one existing thread, and two of the most, for short jobs, and one more for long jobs of another user. */
export function longBounds(threads: number, maxThreads: number): LongBounds {
  const most = Math.max(1, Math.min(threads - 1, maxThreads - 2));
  return { most, ofUser: Math.max(1, Math.min(most, maxThreads - 3)) };
}

type LongJob = Pick<Job, "userId" | "isVisible" | "cpuMs">;

const ofUser = (long: readonly Pick<Job, "userId">[], userId: string): number =>
  long.filter((job) => job.userId === userId).length;

export const hasRoom = (
  long: readonly Pick<Job, "userId">[],
  { userId }: Pick<Job, "userId">,
  bounds: LongBounds,
): boolean => long.length < bounds.most && ofUser(long, userId) < bounds.ofUser;

/** A visible job would repeat its requests: it keeps its thread until it has used so much CPU time. */
const visibleMs = 2_000;

const mayLeave = ({ isVisible, cpuMs }: LongJob): boolean => !isVisible || cpuMs >= visibleMs;

/** The job to move when there are too many: invisible ones first, then those of the user with the most, then the least CPU time. */
export function chooseLeaving<Long extends LongJob>(long: readonly Long[], bounds: LongBounds): Long | undefined {
  const excess = long.length > bounds.most ? long : long.filter(({ userId }) => ofUser(long, userId) > bounds.ofUser);
  return excess
    .filter(mayLeave)
    .toSorted(
      (a, b) =>
        Number(a.isVisible) - Number(b.isVisible) ||
        ofUser(long, b.userId) - ofUser(long, a.userId) ||
        a.cpuMs - b.cpuMs,
    )[0];
}

/** A call that is still in guest code so long after it was sent away cannot be interrupted: its thread is ended. */
const leaveMs = 100;

export interface LongJobControlParts {
  readonly threads: Pick<WorkerThreads, "used" | "most" | "ready">;
  readonly placement: {
    long(): Map<Job, WorkerThread>;
    note(sourceId: string, weight: "heavy", now: number): void;
  };
  jobOf(id: number): Job | undefined;
  /** Takes the job from the thread and starts it over later. */
  move(thread: WorkerThread, job: Job): void;
}

/** Limits how many threads long jobs use. */
export interface LongJobControl {
  /** Marks jobs that have become long or short, and moves long jobs away when there are too many. */
  check(now: number, othersWait: boolean): void;
}

export function createLongJobControl({ threads, placement, jobOf, move }: LongJobControlParts): LongJobControl {
  function mark(thread: WorkerThread, now: number, othersWait: boolean): void {
    const inside = thread.closed ? undefined : jobOf(thread.beat.read().callId);
    if (inside && !inside.isLong && isLong(inside.cpuMs, othersWait)) {
      inside.isLong = true;
      placement.note(inside.sourceId, "heavy", now);
    }
    for (const id of thread.calls) {
      const job = jobOf(id);
      if (job === inside || !job || !isCalm(job, now)) continue;
      job.isLong = false;
      job.cpuMs = 0;
    }
  }

  function moveExcess(now: number): void {
    const long = placement.long();
    const bounds = longBounds(threads.ready(), threads.most);
    for (let job = chooseLeaving([...long.keys()], bounds); job; job = chooseLeaving([...long.keys()], bounds)) {
      const thread = long.get(job);
      long.delete(job);
      if (!thread) continue;
      thread.leaving = { callId: job.id, since: now };
      thread.beat.sendAway(job.id);
      move(thread, job);
    }
  }

  /** Ends the thread if the call that was sent away does not leave it. */
  function endIfStuck(thread: WorkerThread, now: number): void {
    const { leaving } = thread;
    if (!leaving || thread.closed) return;
    if (thread.beat.read().callId !== leaving.callId) thread.leaving = undefined;
    else if (now - leaving.since > leaveMs) {
      thread.closed = thread.isEndedByScheduler = true;
      void thread.terminate();
    }
  }

  return {
    check(now, othersWait) {
      for (const thread of threads.used) mark(thread, now, othersWait);
      moveExcess(now);
      for (const thread of threads.used) endIfStuck(thread, now);
    },
  };
}
