import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { type Clock, watchFolders } from "@x/runtime";

import { type GivenAccounts, readAccounts } from "../given/given-accounts.ts";
import { createQuiet } from "./quiet.ts";

/** A file that is being written looks broken; this long it may. */
const quietMs = 60;
const longestMs = 1_000;

export interface AccountsWatchOptions {
  readonly file: string;
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  /** Gets what the file says when it was written, or made. */
  readonly changed: (accounts: GivenAccounts) => void;
  /** The file cannot be read, or cannot be watched. */
  readonly failed: (error: unknown) => void;
}

/** Follows the file of `--accounts`. */
export function watchAccounts({ file, clock, changed, failed }: AccountsWatchOptions): { close(): void } {
  const path = resolve(file);
  const folder = dirname(path);
  function read(): void {
    if (!existsSync(path)) return;
    let accounts: GivenAccounts;
    try {
      accounts = readAccounts("accounts", file);
    } catch (error) {
      return failed(error);
    }
    changed(accounts);
  }
  const quiet = createQuiet<string>({ clock, quietMs, longestMs, ready: read });
  const folders = watchFolders({
    root: folder,
    changed(at) {
      // Undefined: anything may have changed.
      if (at === undefined || at === path) quiet.add(path);
      else if (at === folder && existsSync(folder)) {
        folders.add(folder);
        quiet.add(path);
      }
    },
    failed: (_folder, error) => failed(error),
  });
  folders.add(folder);
  return {
    close() {
      quiet.close();
      folders.close();
    },
  };
}
