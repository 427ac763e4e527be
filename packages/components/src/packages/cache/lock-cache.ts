import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { sha256Hex, type PackageLock } from "@x/model";

/** Caches locks by their specifiers, so that a new component needs no npm registry. */
export interface LockCache {
  find(specifiers: readonly string[]): Promise<PackageLock | undefined>;
  keep(lock: PackageLock): Promise<void>;
}

export function createLockCache(cacheFolder: string): LockCache {
  const folder = join(cacheFolder, "locks");
  const fileOf = (specifiers: readonly string[]): string =>
    join(folder, `${sha256Hex(JSON.stringify([...specifiers].sort()))}.json`);
  return {
    async find(specifiers) {
      try {
        return JSON.parse(await readFile(fileOf(specifiers), "utf8")) as PackageLock;
      } catch {
        // The cache may be incomplete.
        return undefined;
      }
    },
    async keep(lock) {
      const file = fileOf(Object.keys(lock.requests));
      await mkdir(folder, { recursive: true });
      const draft = `${file}.${randomUUID()}`;
      await writeFile(draft, JSON.stringify(lock));
      await rename(draft, file);
    },
  };
}
