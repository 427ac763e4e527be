import { LRUCache } from "lru-cache";

import type { Job } from "./job.ts";
import type { Weight } from "./placement.ts";
import { createRecent } from "./recent.ts";

/** After so long, used CPU time counts half. */
const halfLifeMs = 30_000;
/** Then there is less than a thousandth left. */
const memoryMs = 10 * halfLifeMs;

/** CPU time that users and sources have used lately, in ms, by account. */
export interface Usage {
  charge(account: string, ms: number, now: number): void;
  of(account: string, now: number): number;
}

export function createUsage(): Usage {
  const accounts = createRecent<{ readonly ms: number; readonly at: number }>(memoryMs);
  const of = (account: string, now: number): number => {
    const used = accounts.get(account);
    return used ? used.ms * 0.5 ** (Math.max(0, now - used.at) / halfLifeMs) : 0;
  };
  return {
    of,
    charge: (account, ms, now) => accounts.set(account, { ms: of(account, now) + ms, at: now }, now),
  };
}

export const userAccount = ({ userId }: Pick<Job, "userId">): string => `user ${userId}`;
export const sourceAccount = ({ sourceId }: Pick<Job, "sourceId">): string => `source ${sourceId}`;

/** Smaller differences of usage do not count, so that a job keeps its processor for about so long. */
const sliceMs = 100;

type Contender = Pick<Job, "id" | "userId" | "sourceId">;

export interface QueueRules {
  readonly usage: Pick<Usage, "of">;
  weightOf(sourceId: string): Weight | undefined;
}

/**
 * Sorts jobs: first the user with the least usage; of this user, sources whose jobs are known to be
 * short; then the source with the least usage; then the oldest job.
 */
export function inFairOrder<Waiting extends Contender>(
  waiting: readonly Waiting[],
  { usage, weightOf }: QueueRules,
  now: number,
): readonly Waiting[] {
  if (waiting.length < 2) return waiting;
  const slices = (account: string): number => Math.floor(usage.of(account, now) / sliceMs);
  return waiting
    .map((job) => ({
      job,
      user: slices(userAccount(job)),
      isLight: Number(weightOf(job.sourceId) === "light"),
      source: slices(sourceAccount(job)),
    }))
    .toSorted((a, b) => a.user - b.user || b.isLight - a.isLight || a.source - b.source || a.job.id - b.job.id)
    .map(({ job }) => job);
}

const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** How long a source has to wait, in ms, after so many jobs in a row that ended their thread. */
export const pauseAfter = (crashes: number): number =>
  crashes === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (crashes - 1));

const maxCrashing = 10_000;

/** Delays sources whose jobs end one thread after another, because a new thread costs more than the job. */
export interface CrashPause {
  /** Returns for how long, in ms. */
  crashed(sourceId: string, now: number): number;
  ended(sourceId: string): void;
  mayBegin(sourceId: string, now: number): boolean;
}

export function createCrashPause(): CrashPause {
  const sources = new LRUCache<string, { readonly crashes: number; readonly until: number }>({ max: maxCrashing });
  return {
    crashed(sourceId, now) {
      const crashes = (sources.get(sourceId)?.crashes ?? 0) + 1;
      const pauseMs = pauseAfter(crashes);
      sources.set(sourceId, { crashes, until: now + pauseMs });
      return pauseMs;
    },
    ended: (sourceId) => void sources.delete(sourceId),
    mayBegin: (sourceId, now) => (sources.get(sourceId)?.until ?? 0) <= now,
  };
}
