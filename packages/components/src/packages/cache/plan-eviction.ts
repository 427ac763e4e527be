/** Something in the cache that can be removed and fetched again. */
export interface CachedItem {
  /** The key of the lock for a tree, the path for an archive. */
  readonly id: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

export interface CacheContent {
  readonly trees: readonly CachedItem[];
  /** Downloaded archives, from which a tree can be created again without the registry. */
  readonly archives: readonly CachedItem[];
}

export interface EvictionRules {
  /** Maximum size of trees and archives together. */
  readonly mostBytes: number;
  readonly now: number;
  /** Trees to keep, whatever the size. */
  readonly needed: ReadonlySet<string>;
}

/** No installation or build takes this long, in this or another process that shares the cache. */
const longestUseMs = 60 * 60 * 1000;
/** Archives get this fraction of the cache: one in four bytes. */
const archiveShare = 4;

export const bytesOf = (items: readonly CachedItem[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

/** The least recently used items to remove until at most `mostBytes` are left. */
function oldest(items: readonly CachedItem[], mostBytes: number, mayGo: (item: CachedItem) => boolean): CachedItem[] {
  let left = bytesOf(items);
  return items
    .filter(mayGo)
    .toSorted((a, b) => a.usedAt - b.usedAt)
    .filter(({ bytes }) => {
      if (left <= mostBytes) return false;
      left -= bytes;
      return true;
    });
}

/** The items to remove so that the rest fits, least recently used first. Never removes what is needed or in use. */
export function planEviction(
  { trees, archives }: CacheContent,
  { mostBytes, now, needed }: EvictionRules,
): CacheContent {
  if (bytesOf(trees) + bytesOf(archives) <= mostBytes) return { trees: [], archives: [] };
  const isIdle = ({ usedAt }: CachedItem): boolean => now - usedAt > longestUseMs;
  const old = oldest(archives, mostBytes / archiveShare, isIdle);
  const room = mostBytes - (bytesOf(archives) - bytesOf(old));
  return { trees: oldest(trees, room, (tree) => isIdle(tree) && !needed.has(tree.id)), archives: old };
}
