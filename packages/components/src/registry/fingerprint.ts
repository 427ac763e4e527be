import { dirname, join, relative } from "node:path";

import { readRegular, sha256Hex } from "@x/model";
import { stem } from "./names.ts";
import { type Listing, stampOf } from "./scan.ts";

/**
 * Everything that a component depends on: its files, other files that one of its imports could resolve to, and each
 * `package.json` that may give the ranges of its packages.
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

/** A hash that changes when one of the files may have changed. Looks at files outside the listing directly. */
export async function stampsOf(files: readonly string[], root: string, listing: Listing): Promise<string> {
  const lines: string[] = [];
  for (const path of pathsOf(files, root, listing)) {
    const known = listing.stamps.get(path) ?? (isListed(path, listing) ? "absent" : await stampOf(path));
    lines.push(`${relative(root, path)} ${known}`);
  }
  return sha256Hex(lines.join("\n"));
}

/** True when the listing has every code file of the path's folder. */
const isListed = (path: string, listing: Listing): boolean => listing.folders.has(dirname(path));

/** Hashes of file contents; each file is read once per listing. */
export interface Contents {
  /** A hash of the contents of the files; undefined when a file has changed since it was listed. */
  of(files: readonly string[], root: string): Promise<string | undefined>;
}

export function createContents(listing: Listing): Contents {
  const hashes = new Map<string, Promise<string | undefined>>();

  async function read(path: string): Promise<string | undefined> {
    const stamp = listing.stamps.get(path) ?? (isListed(path, listing) ? "absent" : await stampOf(path));
    if (stamp === "absent") return stamp;
    const bytes = await readRegular(path).catch(() => undefined);
    // The stamp of a link begins with its target.
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
