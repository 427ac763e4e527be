import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";

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
