import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import type { Clock } from "../../process/clock.ts";
import type { Logger } from "../../api/options.ts";
import { bytesOf, type CachedItem, planEviction } from "./plan-eviction.ts";

export interface CacheBoundParts {
  readonly cacheFolder: string;
  readonly mostBytes: number;
  /** Keys of the trees that stay, asked for when something has to go. */
  readonly needed: () => Promise<ReadonlySet<string>>;
  /** The times of files are real ones. */
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
}

/** Keeps the cache of packages within a size. Several processes may share the cache. */
export interface CacheBound {
  /** Marks a tree as used now. False: it is not there. */
  use(folder: string): Promise<boolean>;
  /** Removes what is too much. Never rejects. */
  enforce(): Promise<void>;
}

/** In the folder of a tree: what it takes of the disk. */
const sizeFile = ".bytes";
const blockBytes = 4096;

const onDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

async function filesIn(folder: string): Promise<CachedItem[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: CachedItem[] = [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const state = entry.isFile() ? await stat(file).catch(() => undefined) : undefined;
    if (state) found.push({ id: file, bytes: onDisk(state.size), usedAt: state.mtimeMs });
  }
  return found;
}

/** Measured once, for trees do not change. */
async function sizeOfTree(folder: string, usedAt: number): Promise<number> {
  const file = join(folder, sizeFile);
  const known = Number(await readFile(file, "utf8").catch(() => ""));
  if (known > 0) return known;
  const bytes = onDisk(1) + bytesOf(await filesIn(folder));
  await writeFile(file, String(bytes)).catch(() => undefined);
  await utimes(folder, usedAt / 1000, usedAt / 1000).catch(() => undefined);
  return bytes;
}

export function createCacheBound({ cacheFolder, mostBytes, needed, clock, logger }: CacheBoundParts): CacheBound {
  const treeFolder = join(cacheFolder, "trees");
  const stagings = join(cacheFolder, "staging");
  let last = Promise.resolve();
  /** A look that has not begun. */
  let next: Promise<void> | undefined;

  async function findTrees(): Promise<CachedItem[]> {
    const keys = await readdir(treeFolder).catch(() => []);
    const found: CachedItem[] = [];
    for (const id of keys) {
      const folder = join(treeFolder, id);
      const state = await stat(folder).catch(() => undefined);
      if (state) found.push({ id, bytes: await sizeOfTree(folder, state.mtimeMs), usedAt: state.mtimeMs });
    }
    return found;
  }

  /** Out of sight at once, and then removed: where a process ends in between, its remains are a draft. */
  async function removeTree({ id, usedAt }: CachedItem): Promise<void> {
    const folder = join(treeFolder, id);
    const moved = join(stagings, `evicted-${randomUUID()}`);
    const isUsedAgain = async (place: string): Promise<boolean> => (await stat(place)).mtimeMs > usedAt;
    if (await isUsedAgain(folder)) return;
    await mkdir(stagings, { recursive: true });
    await rename(folder, moved);
    // Once more, now that nobody finds it.
    if (await isUsedAgain(moved)) {
      const isBack = await rename(moved, folder).then(
        () => true,
        () => false,
      );
      // Another process may have made it anew.
      if (isBack) return;
    }
    await rm(moved, { recursive: true, force: true });
  }

  async function evict(): Promise<void> {
    const content = { trees: await findTrees(), archives: await filesIn(join(cacheFolder, "_cacache", "content-v2")) };
    const before = bytesOf([...content.trees, ...content.archives]);
    if (before <= mostBytes) return;
    const { trees, archives } = planEviction(content, { mostBytes, now: clock.now(), needed: await needed() });
    for (const tree of trees) await removeTree(tree);
    for (const { id } of archives) await rm(id, { force: true });
    const left = before - bytesOf([...trees, ...archives]);
    if (left > mostBytes)
      logger.warn("the package cache is larger than it may be: what is in it is needed, or was used within the hour", {
        folder: cacheFolder,
        bytes: left,
        most: mostBytes,
      });
  }

  return {
    async use(folder) {
      const seconds = clock.now() / 1000;
      // A cache that cannot be written serves all the same.
      await utimes(folder, seconds, seconds).catch(() => undefined);
      return existsSync(folder);
    },
    enforce() {
      // One look answers everybody who asked before it began: it takes as long as there are packages.
      next ??= last.then(() => {
        next = undefined;
        return evict().catch((error: unknown) =>
          logger.warn("the package cache cannot be kept small", {
            folder: basename(cacheFolder),
            error: String(error),
          }),
        );
      });
      last = next;
      return next;
    },
  };
}

/** Far longer than any installation takes, also of another process that shares the cache. */
const longestMs = 24 * 60 * 60 * 1000;

/** Removes what installations left half-done whose process was killed. */
export async function removeLeftDrafts(stagingFolder: string): Promise<void> {
  const names = await readdir(stagingFolder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const draft = join(stagingFolder, name);
      const changed = await stat(draft).catch(() => undefined);
      if (changed && Date.now() - changed.mtimeMs > longestMs)
        await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}
