import { accessSync, closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { XError } from "../../model/errors.ts";
import { isBusy, storeError } from "../failure.ts";

/**
 * Takes the folder for one store; rejects with `store_locked` when another one has it, in this process or not.
 * An open exclusive transaction on an empty file: the system drops it when the process ends, however it ends.
 */
export function lockFolder(folder: string): () => void {
  const file = join(folder, "x.lock");
  createOnce(file);
  let database: DatabaseSync | undefined;
  try {
    // On a file that may only be read, the transaction would begin without locking anything.
    accessSync(file, constants.R_OK | constants.W_OK);
    database = new DatabaseSync(file);
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw isBusy(error) ? new XError("store_locked", [folder], { cause: error }) : storeError(file, "lock", error);
  }
  return () => database.close();
}

/** Never opens a file that exists: closing it would drop the locks that this process holds on it. */
function createOnce(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw storeError(file, "lock", error);
  }
}
