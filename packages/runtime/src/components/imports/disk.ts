import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { sha256Hex } from "../../process/sha256.ts";

/** What a build asks of the disk about packages. Every question throws when there is no such thing. */
export interface Disk {
  stat(path: string): Stats;
  lstat(path: string): Stats;
  readlink(path: string): string;
  realpath(path: string): string;
  /** Text. */
  read(path: string): string;
}

export const disk: Disk = {
  stat: (path) => statSync(path),
  lstat: (path) => lstatSync(path),
  readlink: (path) => readlinkSync(path),
  realpath: (path) => realpathSync.native(path),
  read: (path) => readFileSync(path, "utf8"),
};

/** An answer, or undefined where there is none. */
export function unlessMissing<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** A question to the disk and its answer, null for none. Paths are relative to a folder, so that they move with it. */
export type Look = readonly [ask: keyof Disk, path: string, answer: string | null];

/** What a build has seen of the disk, from a folder. */
export interface Seen {
  /** Each question once, unless its answer changed meanwhile. */
  readonly looks: readonly Look[];
  /** How many folders are above that one: packages are looked for in each of them. */
  readonly depth: number;
}

export interface WitnessedDisk {
  readonly disk: Disk;
  /** Everything that was asked so far. */
  seen(): Seen;
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** What of an answer a build can depend on. */
const shown: { readonly [ask in keyof Disk]: (answer: ReturnType<Disk[ask]>, root: string) => string } = {
  stat: kindOf,
  lstat: kindOf,
  readlink: (target) => target,
  realpath: (path, root) => relative(root, path),
  read: (text) => sha256Hex(text),
};

const depthOf = (folder: string): number => resolve(folder).split(sep).length;

export function witnessDisk(root: string): WitnessedDisk {
  const looks = new Map<string, Look>();
  const witnessed =
    <T>(ask: keyof Disk, look: (path: string) => T, show: (answer: T, root: string) => string) =>
    (path: string): T => {
      let answer: string | null = null;
      try {
        const found = look(path);
        answer = show(found, root);
        return found;
      } finally {
        looks.set(`${ask} ${path} ${answer}`, [ask, relative(root, path), answer]);
      }
    };
  return {
    disk: {
      stat: witnessed("stat", disk.stat, shown.stat),
      lstat: witnessed("lstat", disk.lstat, shown.lstat),
      readlink: witnessed("readlink", disk.readlink, shown.readlink),
      realpath: witnessed("realpath", disk.realpath, shown.realpath),
      read: witnessed("read", disk.read, shown.read),
    },
    seen: () => ({ looks: [...looks.values()], depth: depthOf(root) }),
  };
}

function isStillTrue(look: Look, root: string): boolean {
  const [ask, path] = look;
  const today = witnessDisk(root);
  unlessMissing<unknown>(() => today.disk[ask](resolve(root, path)));
  return isDeepStrictEqual(today.seen().looks, [look]);
}

/** Would the disk answer the same today, from `root`? */
export const areStillTrue = ({ looks, depth }: Seen, root: string): boolean =>
  looks.length === 0 || (depth === depthOf(root) && looks.every((look) => isStillTrue(look, root)));
