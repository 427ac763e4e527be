import type { Job } from "./job.ts";
import type { Weight } from "./placement.ts";
import type { Usage } from "./usage.ts";

/** Differences below this decide nothing: who has a processor keeps it for about so long. */
const sliceMs = 100;

type Contender = Pick<Job, "id" | "userId" | "sourceId">;

export interface Known {
  readonly usage: Pick<Usage, "of">;
  weightOf(sourceId: string): Weight | undefined;
}

/**
 * Whose turn it is first: the user who has used the least lately, of its sources one whose jobs are known to be short, then
 * the one that has used the least, then who came first.
 */
export function inTurn<Waiting extends Contender>(
  waiting: readonly Waiting[],
  { usage, weightOf }: Known,
  now: number,
): readonly Waiting[] {
  if (waiting.length < 2) return waiting;
  const slices = (name: string): number => Math.floor(usage.of(name, now) / sliceMs);
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

export const userAccount = ({ userId }: Pick<Job, "userId">): string => `user ${userId}`;
export const sourceAccount = ({ sourceId }: Pick<Job, "sourceId">): string => `source ${sourceId}`;
