import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import type { Runtime } from "@x/runtime";

/** What the runtime puts into a data folder. */
const ownEntry = /^(?:x\.(?:db(?:-\w+)?|key|lock)|packages)$/;

/** The folders from `folder` up that do not exist. */
function missingFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let each = resolve(folder); !existsSync(each); each = dirname(each)) missing.push(each);
  return missing;
}

/** The names in a folder; undefined for what is no folder, or cannot be read. */
function entriesOf(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/**
 * Notes what is in a data folder before its first start. The returned function removes what the start has put there, for a
 * start that fails: nobody has seen its API key. Files of others stay.
 */
export function noteFolder(folder: string): () => void {
  const made = missingFolders(folder);
  const before = made.length > 0 ? [] : entriesOf(folder);
  return () => {
    if (!before) return;
    for (const name of entriesOf(folder) ?? [])
      if (ownEntry.test(name) && !before.includes(name)) rmSync(join(folder, name), { recursive: true, force: true });
    for (const each of made) {
      const left = entriesOf(each);
      if (left && left.length > 0) return;
      if (left) rmdirSync(each);
    }
  };
}

/** True when nothing was made that others may know of: a deployed source may have registered its endpoint at a service. */
export async function isUnused(runtime: Runtime): Promise<boolean> {
  const [sources, webhooks] = [await runtime.sources({ limit: 1 }), await runtime.webhooks({ limit: 1 })];
  return sources.totalCount + webhooks.totalCount === 0;
}
