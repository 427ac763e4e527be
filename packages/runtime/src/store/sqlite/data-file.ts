import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { keyFileOf } from "./folder-files.ts";
import { corruptFailure, failureOf, StoreFailure } from "../failure.ts";
import { applicationId, migrate, migrations, schemaVersion } from "./schema.ts";

export interface DataFileOptions {
  readonly busyTimeoutMs: number;
  /** The file may not grow beyond this many pages of 4 KiB; for tests of a full disk. */
  readonly maxPages?: number | undefined;
  /** Files up to this size are checked page by page at open. */
  readonly checkedBytes: number;
}

/** Makes entries of a folder durable. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Builds a new file beside its name and renames it, so that a file that is there always has its schema. */
function createDataFile(file: string): void {
  const draft = `${file}.new`;
  rmSync(draft, { force: true });
  rmSync(`${draft}-journal`, { force: true });
  closeSync(openSync(draft, "wx", 0o600));
  const database = new DatabaseSync(draft);
  try {
    migrate(database);
  } finally {
    database.close();
  }
  chmodSync(draft, 0o600);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

/** Rewrites the file without what deleted and replaced rows left in it, and empties its write-ahead log. */
export function sweepDataFile(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec("PRAGMA busy_timeout = 5000; VACUUM");
    const busy = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"];
    if (busy !== 0) throw new Error("its write-ahead log is in use");
  } finally {
    database.close();
  }
}

function checkHeader(database: DatabaseSync, file: string): void {
  const id = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (id !== applicationId) throw new StoreFailure(corruptFailure(file, "it was not written by this program"));
  const version = schemaVersion(database);
  if (version > migrations.length) {
    throw new StoreFailure({ code: "store_version", args: [file, String(migrations.length), String(version)] });
  }
}

function checkPages(database: DatabaseSync, file: string): void {
  const problem = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (problem !== "ok") throw new StoreFailure(corruptFailure(file, String(problem)));
}

/** A migration may leave more free pages than others. They are used again where there is no room to copy the rest. */
function compact(database: DatabaseSync): void {
  try {
    database.exec("VACUUM");
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  } catch {
    // The file is as good as before.
  }
}

/** Opens the data file for writing, or makes it; throws `StoreFailure` when it is not fit for use. */
export function openDataFile(file: string, options: DataFileOptions): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (!existsSync(file)) {
      if (existsSync(`${file}-wal`)) {
        throw new StoreFailure(corruptFailure(file, `it is missing, but its write-ahead log ${file}-wal is there`));
      }
      const key = keyFileOf(dirname(file));
      if (existsSync(key)) {
        const advice = "restore it from a backup, or move the key away too to start anew";
        const problem = `it is missing, but ${key}, the key of its secrets, is there; ${advice}`;
        throw new StoreFailure({ code: "store_corrupt", args: [file, problem] });
      }
      createDataFile(file);
    }
    const bytes = statSync(file).size;
    if (bytes === 0) throw new StoreFailure(corruptFailure(file, "it is empty"));
    database = new DatabaseSync(file);
    database.exec(`PRAGMA busy_timeout = ${options.busyTimeoutMs}`);
    checkHeader(database, file);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY");
    database.exec("PRAGMA cache_size = -16384; PRAGMA journal_size_limit = 67108864");
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    if (bytes <= options.checkedBytes) checkPages(database, file);
    const former = schemaVersion(database);
    migrate(database);
    if (former < migrations.length) compact(database);
    // Fails now, not at the first commit, when the file may only be read; a transaction that writes nothing would not.
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; ROLLBACK`);
    return database;
  } catch (error) {
    database?.close();
    throw new StoreFailure(failureOf(file, "open the data file", error));
  }
}
