import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { checkOptions, rule, type Rules } from "@x/model";

/**
 * Watches folders one by one. Unlike one recursive watch, this skips folders without components, needs one system watch
 * per folder instead of one per file, and sees files that appear in a new folder while it is being read.
 */
export interface FolderWatch {
  /** Starts to watch a folder, also one that was removed and created again. Returns true when it was not watched before. */
  add(folder: string): boolean;
  /** Stops watching all other folders. */
  keepOnly(folders: ReadonlySet<string>): void;
  close(): void;
}

export interface FolderWatchOptions {
  /** May not exist yet; its creation is a change. */
  readonly root: string;
  /** Called with the path that changed; undefined when the system does not say. */
  readonly changed: (path: string | undefined) => void;
  /** Called when a folder cannot be watched. */
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
    // Also for a circle of links.
    return "absent";
  }
}

const watchRules: Rules<FolderWatchOptions> = {
  root: rule.text("the path of a folder"),
  changed: rule.fn,
  failed: rule.fn,
};

/** Reports changes of files in folders, also of those that are made later, until it is closed. Throws `XError` for wrong options. */
export function watchFolders(options: FolderWatchOptions): FolderWatch {
  checkOptions(options, watchRules);
  const { root, changed, failed } = options;
  const watched = new Map<string, Watched>();
  let gate: { readonly path: string; readonly watched: Watched } | undefined;
  let closed = false;

  /** Reports only the first failure: the limit on watches affects many folders. */
  let hasFailed = false;
  function fail(folder: string, error: unknown): void {
    if (!hasFailed) failed(folder, error);
    hasFailed = true;
  }

  function open(folder: string, onChange: (name: string | null) => void, onLost: () => void): Watched | undefined {
    const identity = identityOf(folder);
    try {
      const watcher = watch(folder, { persistent: false }, (_kind, name) => onChange(name));
      watcher.on("error", (error) => {
        watcher.close();
        onLost();
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

  /** Watches the parent of the root, or of its nearest ancestor that does not exist: the root appears and disappears there. */
  function watchGate(): void {
    let path = resolve(root);
    while (!existsSync(dirname(path))) path = dirname(path);
    const folder = dirname(path);
    if (gate?.path === path && gate.watched.identity === identityOf(folder)) return;
    gate?.watched.watcher.close();
    const name = basename(path);
    const opened = open(
      folder,
      (entry) => {
        // Other entries of the parent may change often.
        if (entry === null || entry === name || entry === basename(folder)) changed(undefined);
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
          // A change of the folder itself may be its removal; the next scan watches it again if it exists.
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
