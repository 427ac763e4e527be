import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { XError, checkOptions, rule, type Rules } from "@x/model";
import type { Sealing } from "../contract.ts";
import { corruptFailure, storeError, StoreFailure } from "../failure.ts";
import { checkHeader, syncFolder } from "./data-file.ts";
import { copyPages, DatabaseSync } from "./node-sqlite.ts";

export interface DataBackup {
  /** A data folder; a service may be running on it. */
  readonly data: string;
  /** The file to create. */
  readonly file: string;
  /** Called between slices of the copy. */
  readonly onProgress?: (progress: BackupProgress) => void;
}

/** How much of a data file has been copied. */
export interface BackupProgress {
  readonly pages: number;
  readonly copiedPages: number;
}

/** A backup that was made. */
export interface MadeBackup {
  readonly bytes: number;
  /** Which key a restore needs: `file` is `x.key` of the folder, `given` that of the option `secretKey`. */
  readonly key: Sealing["key"] | "none";
}

const backupRules: Rules<DataBackup> = {
  data: rule.text("the path of a folder"),
  file: rule.text("the path of a new file"),
  onProgress: rule.fn,
};

/** A slice is 1 MiB; the thread does other work between slices. */
const slicePages = 256;
/** The disk gets the copy a little at a time: commits of the service wait for what it has to write before them. */
const unsyncedPages = 1_024;
const busyTimeoutMs = 5_000;

const hasTable = (database: DatabaseSync, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** The record that says how the secrets of an open data file are encrypted. */
export function readSealing(database: DatabaseSync): Sealing | undefined {
  // Files of the first schema versions have no secrets that are encrypted.
  if (!hasTable(database, "sealing")) return undefined;
  const row = database.prepare("SELECT record FROM sealing").get();
  return row && (JSON.parse(String(row["record"])) as Sealing);
}

/** Throws `StoreFailure` unless every page of an open file is intact. */
export function checkEveryPage(database: DatabaseSync, file: string): void {
  const problem = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
  if (problem !== "ok") throw new StoreFailure(corruptFailure(file, String(problem)));
}

/** Makes a file durable under its final name. */
export function settleFile(draft: string, file: string): void {
  const handle = openSync(draft, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Makes one file of a copy that needs no log beside it. Work that ran at the time of the copy did not crash. */
function finishCopy(draft: string): Sealing | undefined {
  const database = new DatabaseSync(draft);
  try {
    database.exec("PRAGMA journal_mode = DELETE");
    for (const table of ["inbox", "transition"])
      if (hasTable(database, table)) database.exec(`UPDATE ${table} SET running = 0 WHERE running = 1`);
    checkEveryPage(database, draft);
    return readSealing(database);
  } finally {
    database.close();
  }
}

/** Copies one state of the file, whatever is committed meanwhile. */
async function copyState(file: string, draft: string, onProgress: DataBackup["onProgress"]): Promise<void> {
  const database = new DatabaseSync(file, { readOnly: true });
  const handle = openSync(draft, "r+");
  let syncedPages = 0;
  try {
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    checkHeader(database, file);
    // Without a state that it reads, the copy would start over after each commit.
    database.exec("BEGIN");
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    await copyPages(database, draft, {
      rate: slicePages,
      progress({ totalPages, remainingPages }) {
        const copiedPages = totalPages - remainingPages;
        if (copiedPages - syncedPages >= unsyncedPages) {
          fdatasyncSync(handle);
          syncedPages = copiedPages;
        }
        onProgress?.({ pages: totalPages, copiedPages });
      },
    });
  } finally {
    database.close();
    closeSync(handle);
  }
}

/**
 * Copies the data file of a folder into one file, while a service may be running on the folder: commits continue, and the
 * copy has all of those before its start and none of the later ones. The copy is checked before it gets its name. The key
 * file is not part of it. Rejects with `invalid_options` when there is no data or the file exists, and with `store_failed`,
 * `store_corrupt` or `store_version`.
 */
export async function backupData(options: DataBackup): Promise<MadeBackup> {
  checkOptions(options, backupRules);
  const [source, file] = [join(resolve(options.data), "x.db"), resolve(options.file)];
  if (!existsSync(source)) throw new XError("invalid_options", ["data", "a folder with the file x.db", options.data]);
  if (existsSync(file)) throw new XError("invalid_options", ["file", "a file that does not exist", options.file]);
  const draft = `${file}.part`;
  try {
    rmSync(draft, { force: true });
    closeSync(openSync(draft, "wx", 0o600));
    await copyState(source, draft, options.onProgress);
    const sealing = finishCopy(draft);
    settleFile(draft, file);
    return { bytes: statSync(file).size, key: sealing?.key ?? "none" };
  } catch (error) {
    for (const leftover of [draft, `${draft}-journal`, `${draft}-wal`, `${draft}-shm`])
      rmSync(leftover, { force: true });
    throw storeError(file, "make the backup", error);
  }
}
