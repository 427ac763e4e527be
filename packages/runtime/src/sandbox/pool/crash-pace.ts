import { LRUCache } from "lru-cache";

const kept = 10_000;
const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** How long a source waits after so many jobs in a row that ended their thread. */
export const pauseAfter = (crashes: number): number =>
  crashes === 0 ? 0 : Math.min(longestPauseMs, firstPauseMs * 2 ** (crashes - 1));

/** A new thread costs more than the job that ends it: who ends one after another waits longer each time. */
export interface CrashPace {
  crashed(sourceId: string, now: number): void;
  ended(sourceId: string): void;
  mayBegin(sourceId: string, now: number): boolean;
}

export function createCrashPace(): CrashPace {
  const known = new LRUCache<string, { readonly crashes: number; readonly until: number }>({ max: kept });
  return {
    crashed(sourceId, now) {
      const crashes = (known.get(sourceId)?.crashes ?? 0) + 1;
      known.set(sourceId, { crashes, until: now + pauseAfter(crashes) });
    },
    ended: (sourceId) => void known.delete(sourceId),
    mayBegin: (sourceId, now) => (known.get(sourceId)?.until ?? 0) <= now,
  };
}
