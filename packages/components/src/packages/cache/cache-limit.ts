import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

import type { Clock, Logger } from "@x/model";
import { bytesOf, type CachedItem, type CachedTree, planEviction } from "./plan-eviction.ts";
import { sharedIdsFile } from "./shared-ids.ts";

export interface CacheLimitParts {
  readonly cacheFolder: string;
  readonly maxBytes: number;
  /** Keys of the trees to keep; called when something must be evicted. */
  readonly needed: () => Promise<ReadonlySet<string>>;
  /** Real time, because it is compared with the times of files. */
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
}

/** Limits the size of the package cache. Several processes may share the cache. */
export interface CacheLimit {
  /** Marks a tree as used now. Resolves to false when it does not exist. */
  use(folder: string): Promise<boolean>;
  /** Evicts until the cache fits. Logs a failure; never rejects. */
  enforce(): Promise<void>;
}

/** File in the folder of a tree or a shared package with its size on disk. */
const sizeFile = ".bytes";
const blockBytes = 4096;

const onDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

interface CachedFile extends CachedItem {
  /** Another folder has a link to it. */
  readonly isShared: boolean;
}

async function filesIn(folder: string): Promise<CachedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const found: CachedFile[] = [];
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const state = entry.isFile() ? await stat(file).catch(() => undefined) : undefined;
    if (state) found.push({ id: file, bytes: onDisk(state.size), usedAt: state.mtimeMs, isShared: state.nlink > 1 });
  }
  return found;
}

/** Measures a folder once, because trees and shared packages do not change. */
async function sizeOfFolder(
  folder: string,
  usedAt: number,
  counts: (file: CachedFile) => boolean = () => true,
): Promise<number> {
  const file = join(folder, sizeFile);
  const known = Number(await readFile(file, "utf8").catch(() => ""));
  if (known > 0) return known;
  const bytes = (await filesIn(folder)).filter(counts).reduce((sum, each) => sum + each.bytes, onDisk(1));
  await writeFile(file, String(bytes)).catch(() => undefined);
  await utimes(folder, usedAt / 1000, usedAt / 1000).catch(() => undefined);
  return bytes;
}

/** The folders in `folder`, and when each was used. */
async function foldersIn(folder: string): Promise<{ id: string; path: string; usedAt: number }[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.map(async (id) => {
    const path = join(folder, id);
    const state = await stat(path).catch(() => undefined);
    return state ? [{ id, path, usedAt: state.mtimeMs }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** The shared packages of a tree; none when their file is missing, or was cut off by a power failure. */
async function sharedBy(tree: string): Promise<readonly string[]> {
  try {
    return JSON.parse(await readFile(join(tree, sharedIdsFile), "utf8")) as string[];
  } catch {
    return [];
  }
}

export function createCacheLimit({ cacheFolder, maxBytes, needed, clock, logger }: CacheLimitParts): CacheLimit {
  const treeFolder = join(cacheFolder, "trees");
  const packageFolder = join(cacheFolder, "unpacked");
  const stagingFolder = join(cacheFolder, "staging");
  let last = Promise.resolve();
  /** An eviction that has not begun. */
  let next: Promise<void> | undefined;

  async function findTrees(): Promise<CachedTree[]> {
    const found: CachedTree[] = [];
    for (const { id, path, usedAt } of await foldersIn(treeFolder)) {
      const bytes = await sizeOfFolder(path, usedAt, ({ isShared }) => !isShared);
      found.push({ id, bytes, usedAt, shared: await sharedBy(path) });
    }
    return found;
  }

  async function findPackages(): Promise<CachedItem[]> {
    const found: CachedItem[] = [];
    for (const { id, path, usedAt } of await foldersIn(packageFolder))
      found.push({ id, bytes: await sizeOfFolder(path, usedAt), usedAt });
    return found;
  }

  /** Moves a folder to the staging folder, then deletes it: if the process ends in between, a draft remains. */
  async function removeFolder(folder: string, usedAt: number): Promise<void> {
    const moved = join(stagingFolder, `evicted-${randomUUID()}`);
    const isUsedAgain = async (path: string): Promise<boolean> => (await stat(path)).mtimeMs > usedAt;
    if (await isUsedAgain(folder)) return;
    await mkdir(stagingFolder, { recursive: true });
    await rename(folder, moved);
    // Checks again now that no process can find it.
    if (await isUsedAgain(moved)) {
      const isBack = await rename(moved, folder).then(
        () => true,
        () => false,
      );
      // Another process may have created it again.
      if (isBack) return;
    }
    await rm(moved, { recursive: true, force: true });
  }

  async function evict(): Promise<void> {
    const content = {
      trees: await findTrees(),
      packages: await findPackages(),
      archives: await filesIn(join(cacheFolder, "_cacache", "content-v2")),
    };
    const before = bytesOf(content);
    if (before <= maxBytes) return;
    const removed = planEviction(content, { maxBytes, now: clock.now(), needed: await needed() });
    for (const { id, usedAt } of removed.trees) await removeFolder(join(treeFolder, id), usedAt);
    for (const { id, usedAt } of removed.packages) await removeFolder(join(packageFolder, id), usedAt);
    for (const { id } of removed.archives) await rm(id, { force: true });
    const left = before - bytesOf(removed);
    if (left > maxBytes)
      logger.warn(
        "the package cache is larger than its limit: everything in it is needed, or was used within the last hour",
        {
          folder: cacheFolder,
          bytes: left,
          most_bytes: maxBytes,
        },
      );
  }

  return {
    async use(folder) {
      const seconds = clock.now() / 1000;
      // A read-only cache can still be used.
      await utimes(folder, seconds, seconds).catch(() => undefined);
      return existsSync(folder);
    },
    enforce() {
      // One eviction serves all calls before it begins: it reads the whole cache.
      next ??= last.then(() => {
        next = undefined;
        return evict().catch((error: unknown) =>
          logger.warn("the size of the package cache cannot be limited", {
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

/** No installation takes this long, in this or another process that shares the cache. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Removes incomplete installations of killed processes. */
export async function removeAbandonedDrafts(stagingFolder: string): Promise<void> {
  const names = await readdir(stagingFolder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const draft = join(stagingFolder, name);
      const changed = await stat(draft).catch(() => undefined);
      if (changed && Date.now() - changed.mtimeMs > abandonedMs)
        await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}
