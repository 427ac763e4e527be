import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError } from "@x/model";
import type { Sealing } from "../contract.ts";
import { storeError } from "../failure.ts";
import { readSealing } from "../sqlite/backup.ts";
import { checkHeader, checkPages, keyFileOf } from "../sqlite/data-file.ts";
import { lockFolder } from "../sqlite/lock.ts";
import { DatabaseSync } from "../sqlite/node-sqlite.ts";
import { migrations, schemaVersion } from "../sqlite/schema.ts";
import { sealWith } from "./seal.ts";
import { parseSecretKey, readKeyFile } from "./secret-key.ts";

/** What an inspection found. */
export interface InspectedStore {
  /** True while a service uses it. */
  readonly isInUse: boolean;
  /** Of the data; a start of this release updates an older one. */
  readonly schemaVersion: number;
  /** Of this release. */
  readonly currentVersion: number;
  /** How its secrets are encrypted; absent before the first start. */
  readonly sealing?: Sealing | undefined;
  /** Apps to whose endpoints everybody who knows the URL can send events, by slug. */
  readonly unverifiedApps: readonly string[];
}

export interface InspectedData extends InspectedStore {
  readonly bytes: number;
  /** False for a file so large that the check of its pages would take long. */
  readonly isChecked: boolean;
}

/** Files up to this size have every page checked. */
const checkedBytes = 256 * 1024 * 1024;
const busyTimeoutMs = 1_000;

function isLocked(folder: string): boolean {
  // Without the file nobody has the lock, and an inspection creates no files.
  if (!existsSync(join(folder, "x.lock"))) return false;
  try {
    lockFolder(folder)();
    return false;
  } catch (error) {
    if (XError.is(error) && error.code === "store_locked") return true;
    throw error;
  }
}

function readUnverifiedApps(database: DatabaseSync): string[] {
  // Older data has no such table.
  if (schemaVersion(database) < migrations.length) return [];
  const text = `SELECT DISTINCT slug FROM app_endpoint
    WHERE json_extract(record, '$.verification.scheme') = 'none' ORDER BY slug`;
  return database
    .prepare(text)
    .all()
    .map(({ slug }) => String(slug));
}

/**
 * Looks at the data of a folder and changes nothing; a service may be running on it. Rejects with `store_corrupt`,
 * `store_version` or `store_failed` when a start would.
 */
export async function inspectData(data: string): Promise<InspectedData> {
  const folder = resolve(data);
  const file = join(folder, "x.db");
  let database: DatabaseSync | undefined;
  try {
    const isInUse = isLocked(folder);
    const bytes = statSync(file).size;
    database = new DatabaseSync(file, { readOnly: true });
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    checkHeader(database, file);
    const isChecked = bytes <= checkedBytes;
    if (isChecked) checkPages(database, file);
    return {
      isInUse,
      schemaVersion: schemaVersion(database),
      currentVersion: migrations.length,
      sealing: readSealing(database),
      unverifiedApps: readUnverifiedApps(database),
      bytes,
      isChecked,
    };
  } catch (error) {
    throw storeError(file, "read the data file", error);
  } finally {
    database?.close();
  }
}

/**
 * Whether a service would have the key of the secrets: the given one, else that in the key file of the folder. Rejects with
 * `secret_key_missing`, `secret_key_wrong` or `secret_key_unreadable`.
 */
export async function checkSecretKey(sealing: Sealing, place: string, secretKey: string | undefined): Promise<void> {
  const file = keyFileOf(place);
  const expected = sealing.key === "file" ? `the key that x wrote to ${file}` : "the secret key of the last start";
  const bytes = secretKey === undefined ? readKeyFile(file) : undefined;
  if (secretKey === undefined && !bytes) throw new XError("secret_key_missing", [place, expected]);
  const name = secretKey === undefined ? `the key in ${file}` : "the given secret key";
  const secret = secretKey === undefined ? { bytes: bytes ?? Buffer.alloc(0) } : parseSecretKey(secretKey);
  if (!(await sealWith(secret, sealing))) throw new XError("secret_key_wrong", [place, name, expected]);
}
