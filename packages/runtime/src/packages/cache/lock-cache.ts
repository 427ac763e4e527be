import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { sha256Hex } from "../../process/sha256.ts";
import type { PackageLock } from "../../model/package-lock.ts";

/** What the same specifiers led to last: lets a component that is new here do without the registry. */
export interface Memo {
  find(specifiers: readonly string[]): Promise<PackageLock | undefined>;
  keep(lock: PackageLock): Promise<void>;
}

export function createMemo(cacheFolder: string): Memo {
  const folder = join(cacheFolder, "locks");
  const fileOf = (specifiers: readonly string[]): string =>
    join(folder, `${sha256Hex(JSON.stringify([...specifiers].sort()))}.json`);
  return {
    async find(specifiers) {
      try {
        return JSON.parse(await readFile(fileOf(specifiers), "utf8")) as PackageLock;
      } catch {
        // Absent, or not whole: it is only a memory.
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
