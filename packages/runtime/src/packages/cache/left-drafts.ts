import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

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
