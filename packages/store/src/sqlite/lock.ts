import { accessSync, closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";

import { XError } from "@x/model";
import { isBusy, storeError } from "../failure.ts";
import { DatabaseSync } from "./node-sqlite.ts";

/**
 * Locks the folder for one store and returns the unlock function. Throws `store_locked` when another store, in this process
 * or another, holds the lock. The lock is an exclusive transaction on an empty file, which the system ends with the process.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "x.lock");
  createOnce(file);
  let database: DatabaseSync | undefined;
  try {
    // On a read-only file the transaction would begin without a lock.
    accessSync(file, constants.R_OK | constants.W_OK);
    database = new DatabaseSync(file);
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw isBusy(error) ? new XError("store_locked", [folder], { cause: error }) : storeError(file, "lock", error);
  }
  return () => database.close();
}

/** Never opens an existing file: closing it would release the locks of this process on it. */
function createOnce(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw storeError(file, "lock", error);
  }
}
