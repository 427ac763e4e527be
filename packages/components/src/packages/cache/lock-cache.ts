import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { pruneLock, sha256Hex, type PackageLock } from "@x/model";

/** Caches locks by their specifiers, so that a new component needs no npm registry. */
export interface LockCache {
  /** The lock of these specifiers, or the part for them of a lock that has more. */
  find(specifiers: readonly string[]): Promise<PackageLock | undefined>;
  keep(lock: PackageLock): Promise<void>;
}

const maxRecent = 2_000;

export function createLockCache(cacheFolder: string): LockCache {
  const folder = join(cacheFolder, "locks");
  /** Specifiers of the locks that were kept last, by their file. */
  const recent = new Map<string, ReadonlySet<string>>();
  const fileOf = (specifiers: readonly string[]): string =>
    join(folder, `${sha256Hex(JSON.stringify([...specifiers].sort()))}.json`);

  async function read(file: string): Promise<PackageLock | undefined> {
    try {
      return JSON.parse(await readFile(file, "utf8")) as PackageLock;
    } catch {
      // The cache may be incomplete.
      return undefined;
    }
  }

  async function keep(lock: PackageLock): Promise<void> {
    const specifiers = Object.keys(lock.requests);
    const file = fileOf(specifiers);
    await mkdir(folder, { recursive: true });
    const draft = `${file}.${randomUUID()}`;
    await writeFile(draft, JSON.stringify(lock));
    await rename(draft, file);
    recent.set(file, new Set(specifiers));
    const [oldest] = recent.keys();
    if (recent.size > maxRecent && oldest !== undefined) recent.delete(oldest);
  }

  return {
    async find(specifiers) {
      const exact = await read(fileOf(specifiers));
      if (exact) return exact;
      const larger = [...recent].find(([, has]) => specifiers.every((each) => has.has(each)))?.[0];
      const lock = larger === undefined ? undefined : await read(larger);
      const part = lock && pruneLock(lock, specifiers);
      // Other processes, and the next start, find it by its specifiers.
      if (part) await keep(part).catch(() => undefined);
      return part;
    },
    keep,
  };
}
