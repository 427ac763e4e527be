import { dirname, join, relative } from "node:path";

import { readRegular } from "../process/read-regular.ts";
import { sha256Hex } from "../process/sha256.ts";
import { stem } from "./names.ts";
import { type Listing, stampOf } from "./scan.ts";

/**
 * What a component depends on: its files, those that an import of one of them could mean instead, and each `package.json`
 * that may give the ranges of its packages.
 */
function pathsOf(files: readonly string[], root: string, listing: Listing): string[] {
  const paths = new Set(files.flatMap((file) => [file, ...(listing.stems.get(stem(file)) ?? [])]));
  for (const file of files)
    for (let folder = dirname(file); ; folder = dirname(folder)) {
      const manifest = join(folder, "package.json");
      if (paths.has(manifest)) break;
      paths.add(manifest);
      if (folder === root || folder === dirname(folder)) break;
    }
  return [...paths].sort();
}

/** Changes when one of the files may have changed. Files beside the listing are looked at themselves. */
export async function stampsOf(files: readonly string[], root: string, listing: Listing): Promise<string> {
  const lines: string[] = [];
  for (const path of pathsOf(files, root, listing)) {
    const known = listing.stamps.get(path) ?? (isListed(path, listing) ? "absent" : await stampOf(path));
    lines.push(`${relative(root, path)} ${known}`);
  }
  return sha256Hex(lines.join("\n"));
}

/** Folders of the listing are known with all their code. */
const isListed = (path: string, listing: Listing): boolean => listing.folders.has(dirname(path));

/** Hashes of files by their paths; each is read once while its stamp is that of a listing. */
export interface Contents {
  /** The same as long as the files hold the same; undefined when one has changed since it was listed. */
  of(files: readonly string[], root: string): Promise<string | undefined>;
}

export function createContents(listing: Listing): Contents {
  const hashes = new Map<string, Promise<string | undefined>>();

  async function read(path: string): Promise<string | undefined> {
    const stamp = listing.stamps.get(path) ?? (isListed(path, listing) ? "absent" : await stampOf(path));
    if (stamp === "absent") return stamp;
    const bytes = await readRegular(path).catch(() => undefined);
    // A link is listed with where it leads.
    const isSame = stamp.endsWith(await stampOf(path));
    return bytes && isSame ? sha256Hex(bytes) : undefined;
  }
  function hashOf(path: string): Promise<string | undefined> {
    const hash = hashes.get(path) ?? read(path);
    hashes.set(path, hash);
    return hash;
  }

  return {
    async of(files, root) {
      const lines: string[] = [];
      for (const path of pathsOf(files, root, listing)) {
        const hash = await hashOf(path);
        if (hash === undefined) return undefined;
        lines.push(`${relative(root, path)} ${hash}`);
      }
      return sha256Hex(lines.join("\n"));
    },
  };
}
