import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";

import { type Clock, watchFolders } from "@x/runtime";

import { createPackageWatch } from "./package-watch.ts";
import { createDebounce } from "./debounce.ts";
import { tryRead } from "./try-read.ts";

/** The real paths, under which changes are reported, and the symbolic links on the way. */
function inRealFolders(paths: ReadonlySet<string>): ReadonlySet<string> {
  const known = new Map<string, string>();
  const realOf = (folder: string): string => {
    const real = known.get(folder) ?? realPathOf(folder);
    known.set(folder, real);
    return real;
  };
  const all = new Set<string>();
  for (const path of paths) {
    for (let next: string | undefined = path; next !== undefined;) {
      const real: string = join(realOf(dirname(next)), basename(next));
      next = all.has(real) ? undefined : findTarget(real);
      all.add(real);
    }
  }
  return all;
}

/** The target of a symbolic link, which may not exist. */
const findTarget = (path: string): string | undefined =>
  tryRead(() => resolve(dirname(path), readlinkSync(path)), undefined);

const realPathOf = (path: string): string => tryRead(() => realpathSync(path), path);

/** Editors empty a file and then fill it: that is one change. A longer pause would be noticed. */
const idleMs = 3;
const maxWaitMs = 250;
/** At most so many folders are searched for a missing file. */
const maxFolders = 300;

const codeExtensions: ReadonlySet<string> = new Set([
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".cts",
  ".jsx",
  ".tsx",
  ".json",
]);

/** The files of a component. */
export interface FollowedFiles {
  readonly own: ReadonlySet<string>;
  /** Of packages in the author's `node_modules`. */
  readonly packages: ReadonlySet<string>;
}

/** Reports changes of the files of a component. */
export interface FileWatch {
  /**
   * Watches these files and the installed packages. `sinceMs` is the file system's time at which the build began to read
   * them: changes since then are reported, also of files that were not watched yet.
   */
  follow(files: FollowedFiles, sinceMs?: number): void;
  /** Watches all code below the root too: the imports of a component that cannot be read are unknown. */
  followAll(files: FollowedFiles, sinceMs?: number): void;
  close(): void;
}

export interface FileWatchOptions {
  readonly root: string;
  readonly clock: Clock;
  /** Called with the known paths; files that are written together come in one call. */
  readonly changed: (paths: readonly string[]) => void;
  readonly failed: (folder: string, error: unknown) => void;
}

function* foldersBelow(root: string): Generator<string> {
  const queue = [root];
  for (let found = 0, folder = queue.shift(); folder !== undefined && found < maxFolders; folder = queue.shift()) {
    yield folder;
    found += 1;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const counts = entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules";
        if (counts) queue.push(join(folder, entry.name));
      }
    } catch {
      // Deleted or not readable: nothing in it can be imported.
    }
  }
}

const isFolder = (path: string): boolean => tryRead(() => statSync(path).isDirectory(), false);

const pathsIn = (folder: string): string[] => tryRead(() => readdirSync(folder), []).map((name) => join(folder, name));

/** The change time of a file or link (a move counts), or of a folder's list of entries. */
const changedAt = (path: string): number => tryRead(() => lstatSync(path).ctimeMs, 0);

/** A new folder may contain the missing file. */
const mayBeCode = (path: string): boolean => codeExtensions.has(extname(path)) || isFolder(path);

/** A new file with the same stem may take precedence: `word.js` over `word.ts` for an import of `word`. */
const stemOf = (path: string): string => path.slice(0, path.length - extname(path).length);

/** A link may have a new target. Links whose names begin with a dot are lock files of editors. */
const isLink = (path: string): boolean =>
  !basename(path).startsWith(".") && tryRead(() => lstatSync(path).isSymbolicLink(), false);

export function createFileWatch({ root, clock, changed, failed }: FileWatchOptions): FileWatch {
  let followed: ReadonlySet<string> = new Set();
  let stems: ReadonlySet<string> = new Set();
  let watchesAll = false;
  const debounce = createDebounce<string>({
    clock,
    idleMs,
    maxWaitMs,
    ready: (paths) => changed([...paths].filter((path) => path !== "")),
  });
  const folders = watchFolders({
    root,
    changed(path) {
      if (path === undefined || isRelevant(path)) debounce.add(path ?? "");
    },
    failed,
  });

  const isRelevant = (path: string): boolean =>
    followed.has(path) || (watchesAll ? mayBeCode(path) || isLink(path) : stems.has(stemOf(path)) && mayBeCode(path));

  /** Adds the changes in these folders from before they were watched. */
  function addUnseen(newFolders: Iterable<string>, sinceMs: number): void {
    // Times in the future come from a file system whose clock is ahead; they are ignored.
    const nowMs = clock.now() + 1;
    const isUnseen = (path: string): boolean => changedAt(path) >= sinceMs && changedAt(path) <= nowMs;
    for (const folder of newFolders) {
      if (isUnseen(folder)) debounce.add("");
      for (const path of pathsIn(folder)) if (isUnseen(path) && isRelevant(path)) debounce.add(path);
    }
  }

  const packageWatch = createPackageWatch({ root, changed: (path) => debounce.add(path), failed });

  function watch({ own, packages }: FollowedFiles, broad: boolean, sinceMs?: number): void {
    const files = inRealFolders(own);
    packageWatch.follow(packages);
    const wanted = new Set([root, ...[...files].map((file) => dirname(file)), ...(broad ? foldersBelow(root) : [])]);
    const opened = new Set([...wanted].filter((folder) => folders.add(folder)));
    folders.keepOnly(wanted);
    const ofNew = new Set([...files].filter((file) => !followed.has(file)).map((file) => dirname(file)));
    const newFolders = [...wanted].filter(
      (folder) => opened.has(folder) || ofNew.has(folder) || (broad && !watchesAll),
    );
    watchesAll = broad;
    followed = files;
    stems = new Set([...files].map(stemOf));
    if (sinceMs !== undefined) addUnseen(newFolders, sinceMs);
  }

  return {
    follow: (files, sinceMs) => watch(files, false, sinceMs),
    followAll: (files, sinceMs) => watch(files, true, sinceMs),
    close() {
      debounce.close();
      folders.close();
      packageWatch.close();
    },
  };
}
