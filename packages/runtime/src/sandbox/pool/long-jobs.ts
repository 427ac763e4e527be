import type { Job } from "./job.ts";

/** A job that has used a processor for so long is a long one. */
const longMs = 250;
/** The same while others wait for a thread. */
const longMsWhileOthersWait = 50;

export const isLong = (cpuMs: number, othersWait: boolean): boolean =>
  cpuMs >= (othersWait ? longMsWhileOthersWait : longMs);

/** A long job that is not in guest code for so long, as it waits for a request, is a short one again. */
const calmMs = 1_000;

export const isCalm = ({ seenAt }: Pick<Job, "seenAt">, now: number): boolean => now - seenAt > calmMs;

/** How many threads long jobs may have. */
export interface LongBounds {
  readonly most: number;
  readonly ofUser: number;
}

/** One thread of those there are, and two of those there may be, are left for short jobs; one for the long ones of another user. */
export function longBounds(threads: number, mostThreads: number): LongBounds {
  const most = Math.max(1, Math.min(threads - 1, mostThreads - 2));
  return { most, ofUser: Math.max(1, Math.min(most, mostThreads - 3)) };
}

type LongJob = Pick<Job, "userId" | "isVisible" | "cpuMs">;

const ofUser = (long: readonly Pick<Job, "userId">[], userId: string): number =>
  long.filter((job) => job.userId === userId).length;

export const hasRoom = (
  long: readonly Pick<Job, "userId">[],
  { userId }: Pick<Job, "userId">,
  bounds: LongBounds,
): boolean => long.length < bounds.most && ofUser(long, userId) < bounds.ofUser;

/** What has asked for something outside would ask twice: it keeps its thread until it has used a processor for so long. */
const visibleMs = 2_000;

const mayLeave = ({ isVisible, cpuMs }: LongJob): boolean => !isVisible || cpuMs >= visibleMs;

/** The long job that leaves its thread when there are too many: silent ones first, of who has most, the one that loses least. */
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
