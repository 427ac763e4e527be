import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { type Clock, watchFolders } from "@x/runtime";

import { type AccountsByApp, readAccounts } from "../arguments/accounts-file.ts";
import { createDebounce } from "./debounce.ts";

/** The file is read after this pause: while an editor writes it, it looks broken. */
const idleMs = 60;
const maxWaitMs = 1_000;

export interface AccountsWatchOptions {
  readonly file: string;
  readonly clock: Pick<Clock, "now" | "wakeAt">;
  /** Called with the accounts each time the file is created or changed. */
  readonly changed: (accounts: AccountsByApp) => void;
  /** Called when the file cannot be read or watched. */
  readonly failed: (error: unknown) => void;
}

/** Watches the file of `--accounts`. */
export function watchAccounts({ file, clock, changed, failed }: AccountsWatchOptions): { close(): void } {
  const path = resolve(file);
  const folder = dirname(path);
  function read(): void {
    if (!existsSync(path)) return;
    let accounts: AccountsByApp;
    try {
      accounts = readAccounts("accounts", file);
    } catch (error) {
      return failed(error);
    }
    changed(accounts);
  }
  const debounce = createDebounce<string>({ clock, idleMs, maxWaitMs, ready: read });
  const folders = watchFolders({
    root: folder,
    changed(at) {
      // Undefined: any file may have changed.
      if (at === undefined || at === path) debounce.add(path);
      else if (at === folder && existsSync(folder)) {
        folders.add(folder);
        debounce.add(path);
      }
    },
    failed: (_folder, error) => failed(error),
  });
  folders.add(folder);
  return {
    close() {
      debounce.close();
      folders.close();
    },
  };
}
