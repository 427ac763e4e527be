/** Something in the cache that can be removed and fetched anew. */
export interface CachedItem {
  /** Of a tree the key of its lock, of an archive its file. */
  readonly id: string;
  readonly bytes: number;
  readonly usedAt: number;
}

export interface CacheContent {
  readonly trees: readonly CachedItem[];
  /** What trees were made of; they serve where a tree is made anew without the registry. */
  readonly archives: readonly CachedItem[];
}

export interface EvictionRules {
  /** Of everything together. */
  readonly mostBytes: number;
  readonly now: number;
  /** Trees that stay, whatever the size. */
  readonly needed: ReadonlySet<string>;
}

/** Longer than any installation and any bundling takes, of this process or of another that shares the cache. */
const longestUseMs = 60 * 60 * 1000;
/** Archives get one part in so many. */
const archiveShare = 4;

export const bytesOf = (items: readonly CachedItem[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

/** The least recently used first, until so many bytes are left. */
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

/** What has to go so that the rest fits, the least recently used first; nothing that is needed or in use. */
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
