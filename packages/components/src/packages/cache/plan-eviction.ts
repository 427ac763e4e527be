/** Something in the cache that can be removed and fetched again. */
export interface CachedItem {
  /** The key of the lock for a tree, the id of a shared package, the path for an archive. */
  readonly id: string;
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** The packages of a component. Its bytes are those of files that it shares with no other tree. */
export interface CachedTree extends CachedItem {
  /** Ids of the shared packages that it has links to. */
  readonly shared: readonly string[];
}

export interface CacheContent {
  readonly trees: readonly CachedTree[];
  /** Packages whose files are linked into trees: their disk space is free when no tree has them. */
  readonly packages: readonly CachedItem[];
  /** Downloaded archives, from which a tree can be created again without the registry. */
  readonly archives: readonly CachedItem[];
}

export interface EvictionRules {
  /** Maximum size of everything together. */
  readonly maxBytes: number;
  readonly now: number;
  /** Trees to keep, whatever the size. */
  readonly needed: ReadonlySet<string>;
}

/** No installation or build takes this long, in this or another process that shares the cache. */
const longestUseMs = 60 * 60 * 1000;
/** Archives get this fraction of the cache: one in four bytes. */
const archiveShare = 4;

const sizeOf = (items: readonly CachedItem[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);
export const bytesOf = ({ trees, packages, archives }: CacheContent): number =>
  sizeOf(trees) + sizeOf(packages) + sizeOf(archives);

/** Those that may go, the least recently used first. */
const byUse = <Item extends CachedItem>(items: readonly Item[], mayGo: (item: Item) => boolean): Item[] =>
  items.filter(mayGo).toSorted((a, b) => a.usedAt - b.usedAt);

/**
 * The items to remove so that the rest fits: archives above their share, packages of no tree, then the trees that were used
 * longest ago with the packages that only they have. Never removes what is needed or in use.
 */
export function planEviction(content: CacheContent, { maxBytes, now, needed }: EvictionRules): CacheContent {
  const [trees, packages, archives]: [CachedTree[], CachedItem[], CachedItem[]] = [[], [], []];
  let left = bytesOf(content);
  if (left <= maxBytes) return { trees, packages, archives };
  const isIdle = ({ usedAt }: CachedItem): boolean => now - usedAt > longestUseMs;
  const remove = <Item extends CachedItem>(item: Item, from: Item[]): void => {
    from.push(item);
    left -= item.bytes;
  };
  let archived = sizeOf(content.archives);
  for (const archive of byUse(content.archives, isIdle)) {
    if (archived <= maxBytes / archiveShare) break;
    archived -= archive.bytes;
    remove(archive, archives);
  }
  const users = new Map(content.packages.map(({ id }) => [id, 0]));
  for (const id of content.trees.flatMap(({ shared }) => shared)) users.set(id, (users.get(id) ?? 0) + 1);
  const isUnused = ({ id }: CachedItem): boolean => users.get(id) === 0;
  for (const each of byUse(content.packages, (item) => isIdle(item) && isUnused(item)))
    if (left > maxBytes) remove(each, packages);
  const byId = new Map(content.packages.map((each) => [each.id, each]));
  for (const tree of byUse(content.trees, (item) => isIdle(item) && !needed.has(item.id))) {
    if (left <= maxBytes) break;
    remove(tree, trees);
    for (const id of tree.shared) {
      users.set(id, (users.get(id) ?? 1) - 1);
      const each = byId.get(id);
      if (each && isIdle(each) && isUnused(each)) remove(each, packages);
    }
  }
  return { trees, packages, archives };
}
