import { LRUCache } from "lru-cache";

const kept = 10_000;
/** What was used so long ago counts half. */
const halfLifeMs = 30_000;

/** Time of processors that somebody has used lately, by name. */
export interface Usage {
  charge(name: string, ms: number, now: number): void;
  of(name: string, now: number): number;
}

export function createUsage(): Usage {
  const accounts = new LRUCache<string, { readonly ms: number; readonly at: number }>({ max: kept });
  const of = (name: string, now: number): number => {
    const known = accounts.get(name);
    return known ? known.ms * 0.5 ** (Math.max(0, now - known.at) / halfLifeMs) : 0;
  };
  return {
    of,
    charge: (name, ms, now) => void accounts.set(name, { ms: of(name, now) + ms, at: now }),
  };
}
