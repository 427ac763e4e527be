import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { sha256Hex } from "@x/model";

/** The disk operations of a build on packages. Each throws when the path does not exist. */
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

/** The result, or undefined when the operation throws. */
export function unlessMissing<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** A disk operation and its result, null for an error. Paths are relative to a folder, so that the record can move with it. */
export type DiskQuery = readonly [ask: keyof Disk, path: string, answer: string | null];

/** All disk operations of a build. */
export interface DiskRecord {
  /** Each operation once, unless its result changed meanwhile. */
  readonly queries: readonly DiskQuery[];
  /** Depth of the folder: packages are looked for in all folders above. */
  readonly depth: number;
}

export interface RecordedDisk {
  readonly disk: Disk;
  /** All operations so far. */
  record(): DiskRecord;
}

function kindOf(stats: Stats): string {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

/** The part of a result that a build can depend on. */
const shown: { readonly [ask in keyof Disk]: (answer: ReturnType<Disk[ask]>, root: string) => string } = {
  stat: kindOf,
  lstat: kindOf,
  readlink: (target) => target,
  realpath: (path, root) => relative(root, path),
  read: (text) => sha256Hex(text),
};

const depthOf = (folder: string): number => resolve(folder).split(sep).length;

export function recordDisk(root: string): RecordedDisk {
  const queries = new Map<string, DiskQuery>();
  const recorded =
    <T>(ask: keyof Disk, look: (path: string) => T, show: (answer: T, root: string) => string) =>
    (path: string): T => {
      let answer: string | null = null;
      try {
        const found = look(path);
        answer = show(found, root);
        return found;
      } finally {
        queries.set(`${ask} ${path} ${answer}`, [ask, relative(root, path), answer]);
      }
    };
  return {
    disk: {
      stat: recorded("stat", disk.stat, shown.stat),
      lstat: recorded("lstat", disk.lstat, shown.lstat),
      readlink: recorded("readlink", disk.readlink, shown.readlink),
      realpath: recorded("realpath", disk.realpath, shown.realpath),
      read: recorded("read", disk.read, shown.read),
    },
    record: () => ({ queries: [...queries.values()], depth: depthOf(root) }),
  };
}

function isStillTrue(look: DiskQuery, root: string): boolean {
  const [ask, path] = look;
  const today = recordDisk(root);
  unlessMissing<unknown>(() => today.disk[ask](resolve(root, path)));
  return isDeepStrictEqual(today.record().queries, [look]);
}

/** True when the disk would give the same results now, relative to `root`. */
export const isUnchanged = ({ queries, depth }: DiskRecord, root: string): boolean =>
  queries.length === 0 || (depth === depthOf(root) && queries.every((look) => isStillTrue(look, root)));
