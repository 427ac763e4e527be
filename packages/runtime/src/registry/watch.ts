import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Watches folders, one by one: unlike one recursive watch this leaves out folders that do not count, needs one of the
 * system's watches per folder instead of one per file, and sees what appears in a new folder while it is being read.
 */
export interface FolderWatch {
  /** Watches a folder from now on; one that was removed and made again is another. True: it was not watched before. */
  add(folder: string): boolean;
  /** Stops to watch all others. */
  keepOnly(folders: ReadonlySet<string>): void;
  close(): void;
}

export interface FolderWatchOptions {
  /** May not exist: then its appearance is a change. */
  readonly root: string;
  /** What changed, as far as the system tells. */
  readonly changed: (path: string | undefined) => void;
  /** A folder cannot be watched; its changes go unseen. */
  readonly failed: (folder: string, error: unknown) => void;
}

interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

function identityOf(folder: string): string {
  try {
    const { dev, ino, birthtimeMs } = statSync(folder);
    return `${dev} ${ino} ${birthtimeMs}`;
  } catch {
    // Links may lead in circles, too.
    return "absent";
  }
}

export function watchFolders({ root, changed, failed }: FolderWatchOptions): FolderWatch {
  const watched = new Map<string, Watched>();
  let gate: { readonly path: string; readonly watched: Watched } | undefined;
  let closed = false;

  /** Once: what fails for one folder fails for many. */
  let hasFailed = false;
  function fail(folder: string, error: unknown): void {
    if (!hasFailed) failed(folder, error);
    hasFailed = true;
  }

  function open(folder: string, heard: (name: string | null) => void, lost: () => void): Watched | undefined {
    const identity = identityOf(folder);
    try {
      const watcher = watch(folder, { persistent: false }, (_kind, name) => heard(name));
      watcher.on("error", (error) => {
        watcher.close();
        lost();
        if (closed) return;
        if (existsSync(folder)) fail(folder, error);
        else changed(folder);
      });
      return { watcher, identity };
    } catch (error) {
      if (existsSync(folder)) fail(folder, error);
      return undefined;
    }
  }

  function drop(folder: string): void {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  }

  /** The root, or the first folder on the way to it that does not exist, changes in a folder that does. */
  function watchGate(): void {
    let path = resolve(root);
    while (!existsSync(dirname(path))) path = dirname(path);
    const folder = dirname(path);
    if (gate?.path === path && gate.watched.identity === identityOf(folder)) return;
    gate?.watched.watcher.close();
    const name = basename(path);
    const opened = open(
      folder,
      (heard) => {
        // Its neighbours may change all the time.
        if (heard === null || heard === name || heard === basename(folder)) changed(undefined);
      },
      () => (gate = undefined),
    );
    gate = opened && { path, watched: opened };
  }

  watchGate();
  return {
    add(folder) {
      if (closed) return false;
      const known = watched.get(folder);
      if (known?.identity === identityOf(folder)) return false;
      drop(folder);
      const opened = open(
        folder,
        (name) => {
          // What is told of the folder itself may be its end: the next scan watches what is there then.
          const own = name === basename(folder);
          if (own) drop(folder);
          changed(name === null || own ? undefined : join(folder, name));
        },
        () => watched.delete(folder),
      );
      if (opened) watched.set(folder, opened);
      return opened !== undefined;
    },
    keepOnly(folders) {
      if (closed) return;
      for (const folder of watched.keys()) if (!folders.has(folder)) drop(folder);
      watchGate();
    },
    close() {
      closed = true;
      gate?.watched.watcher.close();
      for (const folder of watched.keys()) drop(folder);
    },
  };
}
