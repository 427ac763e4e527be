import { statSync } from "node:fs";

/** Which file a path led to; undefined: none. */
function identity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev} ${found.ino}`;
}

/**
 * Watches that the files of an open database stay where they are: what is committed to a file that was removed or replaced
 * is gone with the process. Begins with the first call, which a write must precede, so that the log is there.
 */
export function createFileWitness(file: string): () => string | undefined {
  const known = new Map<string, string | undefined>();
  return () => {
    for (const path of [file, `${file}-wal`]) {
      const now = identity(path);
      if (!known.has(path)) known.set(path, now);
      if (now === undefined) return `${path} was removed while it was in use`;
      if (now !== known.get(path)) return `${path} was replaced while it was in use`;
    }
    return undefined;
  };
}
