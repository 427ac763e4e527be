import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { corruptFailure, failureOf, StoreFailure } from "../failure.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { applicationId, migrate, migrations, schemaVersion } from "./schema.ts";

export interface DataFileOptions {
  readonly busyTimeoutMs: number;
  /** Maximum size in pages of 4 KiB; for tests of a full disk. */
  readonly maxPages?: number | undefined;
  /** Files up to this size have every page checked when they are opened. */
  readonly checkedBytes: number;
}

/**
 * Pages in the log that start a checkpoint: 16 MB. Pages that change often are copied to the file once for each of those, and
 * with fewer, commits took 13 % more of the processor.
 */
export const checkpointPages = 4_000;

/** From here on a connection makes checkpoints by itself, in its commits. The writer usually makes them earlier. */
const lateCheckpointPages = 3 * checkpointPages;

/** The key file of a data folder; absent when the key is given as an option. */
export const keyFileOf = (folder: string): string => join(folder, "x.key");

/** The new key file during a change of the key; it replaces the other one. */
export const nextKeyFileOf = (folder: string): string => join(folder, "x.key.next");

/** Makes the entries of a folder durable. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Creates a folder and those above it that do not exist, all of them durable. */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let each = folder; each.length >= first.length; each = dirname(each)) syncFolder(dirname(each));
}

/** Creates the file under another name and renames it, so that an existing file always has its schema. */
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

/** Rewrites the file without the remains of deleted and replaced rows, and empties its write-ahead log. */
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

/** Throws `StoreFailure` for a file of another program or of a newer release. */
export function checkHeader(database: DatabaseSync, file: string): void {
  const id = database.prepare("PRAGMA application_id").get()?.["application_id"];
  if (id !== applicationId) throw new StoreFailure(corruptFailure(file, "it was not written by this program"));
  const version = schemaVersion(database);
  if (version > migrations.length) {
    throw new StoreFailure({ code: "store_version", args: [file, String(migrations.length), String(version)] });
  }
}

/** Throws `StoreFailure` for a file with a damaged page. */
export function checkPages(database: DatabaseSync, file: string): void {
  const problem = database.prepare("PRAGMA quick_check(1)").get()?.["quick_check"];
  if (problem !== "ok") throw new StoreFailure(corruptFailure(file, String(problem)));
}

/**
 * Removes free pages after a migration that left many, such as a quarter of the file. Without disk space for a copy of the
 * file they stay and are used again.
 */
function compact(database: DatabaseSync): void {
  const pages = (pragma: "freelist_count" | "page_count"): number =>
    Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
  if (pages("freelist_count") * 4 < pages("page_count")) return;
  try {
    database.exec("VACUUM");
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  } catch {
    // The file is unchanged.
  }
}

/** Opens the data file for writing, or creates it. Throws `StoreFailure` for a file that cannot be used. */
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
    database.exec(`PRAGMA wal_autocheckpoint = ${lateCheckpointPages}`);
    if (options.maxPages !== undefined) database.exec(`PRAGMA max_page_count = ${options.maxPages}`);
    if (bytes <= options.checkedBytes) checkPages(database, file);
    const previous = schemaVersion(database);
    migrate(database);
    if (previous < migrations.length) compact(database);
    // Makes a read-only file fail now and not at the first commit; a transaction without a write would succeed.
    database.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; ROLLBACK`);
    return database;
  } catch (error) {
    database?.close();
    throw new StoreFailure(failureOf(file, "open the data file", error));
  }
}
