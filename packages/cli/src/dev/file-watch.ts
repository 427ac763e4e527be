import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";

import { type Clock, watchFolders } from "@x/runtime";

import { createPackageWatch } from "./package-watch.ts";
import { createQuiet } from "./quiet.ts";
import { unlessGone } from "./unless-gone.ts";

/** As they are told when they change, whatever links lead to them; with the links that they lead over. */
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

/** Where a link leads; it may lead nowhere. */
const findTarget = (path: string): string | undefined =>
  unlessGone(() => resolve(dirname(path), readlinkSync(path)), undefined);

/** The same where there is none. */
const realPathOf = (path: string): string => unlessGone(() => realpathSync(path), path);

/** A file is emptied and then filled: that is one change. Longer would be felt; what comes later is read again. */
const quietMs = 3;
const longestMs = 250;
/** More folders than this are not looked at for a file that is missing. */
const mostFolders = 300;

const codeExtensions: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json"]);

/** What a component is made of. */
export interface FollowedFiles {
  readonly own: ReadonlySet<string>;
  /** Of packages in the author's `node_modules`. */
  readonly packages: ReadonlySet<string>;
}

/** Tells about changes of the files that a component is made of. */
export interface FileWatch {
  /**
   * From now on these count, and what is installed. `sinceMs` is when they began to be read, by the clock of files: what
   * has changed since then and did not count yet, counts.
   */
  follow(files: FollowedFiles, sinceMs?: number): void;
  /** And any code below the root: nobody knows which files a component needs that cannot be read. */
  followAll(files: FollowedFiles, sinceMs?: number): void;
  close(): void;
}

export interface FileWatchOptions {
  readonly root: string;
  readonly clock: Clock;
  /** The paths as far as they are known; they come together when they are written together. */
  readonly changed: (paths: readonly string[]) => void;
  readonly failed: (folder: string, error: unknown) => void;
}

function* foldersBelow(root: string): Generator<string> {
  const queue = [root];
  for (let found = 0, folder = queue.shift(); folder !== undefined && found < mostFolders; folder = queue.shift()) {
    yield folder;
    found += 1;
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const counts = entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules";
        if (counts) queue.push(join(folder, entry.name));
      }
    } catch {
      // Gone, or not ours to read: then nothing in it is imported either.
    }
  }
}

const isFolder = (path: string): boolean => unlessGone(() => statSync(path).isDirectory(), false);

const pathsIn = (folder: string): string[] =>
  unlessGone(() => readdirSync(folder), []).map((name) => join(folder, name));

/** When a file or link was changed last, moved here for one; when something came to a folder or left it. */
const changedAt = (path: string): number => unlessGone(() => lstatSync(path).ctimeMs, 0);

/** A folder that is new may bring the file that is missing. */
const mayBeCode = (path: string): boolean => codeExtensions.has(extname(path)) || isFolder(path);

/** Another file of the same name may come in its way: `word.js` in that of `word.ts`, where `word` is imported. */
const stemOf = (path: string): string => path.slice(0, path.length - extname(path).length);

/** A link may lead elsewhere from now on. Editors mark open files with links whose names begin with a dot. */
const isLink = (path: string): boolean =>
  !basename(path).startsWith(".") && unlessGone(() => lstatSync(path).isSymbolicLink(), false);

export function createFileWatch({ root, clock, changed, failed }: FileWatchOptions): FileWatch {
  let followed: ReadonlySet<string> = new Set();
  let stems: ReadonlySet<string> = new Set();
  let isBroad = false;
  const quiet = createQuiet<string>({
    clock,
    quietMs,
    longestMs,
    ready: (paths) => changed([...paths].filter((path) => path !== "")),
  });
  const folders = watchFolders({
    root,
    changed(path) {
      if (path === undefined || counts(path)) quiet.add(path ?? "");
    },
    failed,
  });

  const counts = (path: string): boolean =>
    followed.has(path) || (isBroad ? mayBeCode(path) || isLink(path) : stems.has(stemOf(path)) && mayBeCode(path));

  /** What happened in these folders that nobody was told. */
  function addUnseen(newly: Iterable<string>, sinceMs: number): void {
    // Where a file system's clock is ahead, its times tell nothing.
    const nowMs = clock.now() + 1;
    const isUnseen = (path: string): boolean => changedAt(path) >= sinceMs && changedAt(path) <= nowMs;
    for (const folder of newly) {
      if (isUnseen(folder)) quiet.add("");
      for (const path of pathsIn(folder)) if (isUnseen(path) && counts(path)) quiet.add(path);
    }
  }

  const packageWatch = createPackageWatch({ root, changed: (path) => quiet.add(path), failed });

  function watch({ own, packages }: FollowedFiles, broad: boolean, sinceMs?: number): void {
    const files = inRealFolders(own);
    packageWatch.follow(packages);
    const wanted = new Set([root, ...[...files].map((file) => dirname(file)), ...(broad ? foldersBelow(root) : [])]);
    const opened = new Set([...wanted].filter((folder) => folders.add(folder)));
    folders.keepOnly(wanted);
    const ofNew = new Set([...files].filter((file) => !followed.has(file)).map((file) => dirname(file)));
    const newly = [...wanted].filter((folder) => opened.has(folder) || ofNew.has(folder) || (broad && !isBroad));
    isBroad = broad;
    followed = files;
    stems = new Set([...files].map(stemOf));
    if (sinceMs !== undefined) addUnseen(newly, sinceMs);
  }

  return {
    follow: (files, sinceMs) => watch(files, false, sinceMs),
    followAll: (files, sinceMs) => watch(files, true, sinceMs),
    close() {
      quiet.close();
      folders.close();
      packageWatch.close();
    },
  };
}
