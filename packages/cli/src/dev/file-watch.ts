import { lstatSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";

import { type Clock, watchFolders } from "@x/runtime";

import { createQuiet } from "./quiet.ts";

/** A file is emptied and then filled: that is one change. Longer would be felt; what comes later is read again. */
const quietMs = 3;
const longestMs = 250;
/** More folders than this are not looked at for a file that is missing. */
const mostFolders = 300;

const codeExtensions: ReadonlySet<string> = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".json"]);

/** Tells about changes of the files that a component is made of. */
export interface FileWatch {
  /** From now on these count. */
  follow(files: ReadonlySet<string>): void;
  /** And any code below the root: nobody knows which files a component needs that cannot be read. */
  followAll(files: ReadonlySet<string>): void;
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

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A folder that is new may bring the file that is missing. */
const mayBeCode = (path: string): boolean => codeExtensions.has(extname(path)) || isFolder(path);

/** Another file of the same name may come in its way: `word.js` in that of `word.ts`, where `word` is imported. */
const stemOf = (path: string): string => path.slice(0, path.length - extname(path).length);

/** A link may lead elsewhere from now on. Editors mark open files with links whose names begin with a dot. */
function isLink(path: string): boolean {
  if (basename(path).startsWith(".")) return false;
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

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
      const counts = path === undefined || followed.has(path) || (isBroad && mayBeCode(path));
      const redirects = path !== undefined && ((stems.has(stemOf(path)) && mayBeCode(path)) || isLink(path));
      if (counts || redirects) quiet.add(path ?? "");
    },
    failed,
  });

  function watch(files: ReadonlySet<string>, broad: boolean): void {
    isBroad = broad;
    const wanted = new Set([root, ...[...files].map((file) => dirname(file)), ...(broad ? foldersBelow(root) : [])]);
    for (const folder of wanted) folders.add(folder);
    folders.keepOnly(wanted);
    followed = files;
    stems = new Set([...files].map(stemOf));
  }

  return {
    follow: (files) => watch(files, false),
    followAll: (files) => watch(files, true),
    close() {
      quiet.close();
      folders.close();
    },
  };
}
