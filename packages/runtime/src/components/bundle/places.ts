import { posix } from "node:path";

import type { ImportLink } from "./bundle-messages.ts";
import { candidates } from "./source-set.ts";

/** Where an import was looked for until its file was found. */
function* lookedAt([specifier, importer, name, place = name]: ImportLink): Generator<string> {
  for (const candidate of candidates(specifier, importer)) {
    yield candidate;
    if (candidate === place) return;
  }
}

function* foldersOf(name: string): Generator<string> {
  for (let folder = posix.dirname(name); folder !== "."; folder = posix.dirname(folder)) yield folder;
}

/**
 * Names of what decides, beside the texts of its files, what a component is made of: another file may come to be there, or a
 * link lead elsewhere. The files themselves are not among them.
 */
export function placesOf(files: readonly string[], links: readonly ImportLink[]): string[] {
  const names = [...files, ...links.flatMap((link) => [...lookedAt(link)])];
  const all = new Set(names.flatMap((name) => [name, ...foldersOf(name)]));
  return [...all].filter((name) => name !== "." && !files.includes(name)).toSorted();
}
