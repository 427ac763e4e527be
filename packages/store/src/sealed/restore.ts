import { createReadStream, createWriteStream, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";

import { XError, checkOptions, rule, type Rules } from "@x/model";
import type { Sealing } from "../contract.ts";
import { corruptFailure, storeError, StoreFailure } from "../failure.ts";
import { checkEveryPage, readSealing, settleFile } from "../sqlite/backup.ts";
import { checkHeader, keyFileOf, makeFolder } from "../sqlite/data-file.ts";
import { lockFolder } from "../sqlite/lock.ts";
import { DatabaseSync } from "../sqlite/node-sqlite.ts";
import { sealWith } from "./seal.ts";
import { parseSecretKey, readKeyFile, type Secret } from "./secret-key.ts";

export interface DataRestore {
  /** A backup. */
  readonly file: string;
  /** The folder to create; it may exist if it holds nothing but the key file. */
  readonly data: string;
  /** The key of a backup whose folder had no key file. */
  readonly secretKey?: string | undefined;
  /** A copy of the file `x.key`. Default: that in `data`. */
  readonly keyFile?: string | undefined;
}

/** What a service needs on the restored folder. */
export interface RestoredData {
  /** `given`: the option `secretKey`; `file`: nothing, because the folder has its key file. */
  readonly key: Sealing["key"] | "none";
}

const restoreRules: Rules<DataRestore> = {
  file: rule.text("the path of a backup"),
  data: rule.text("the path of a folder"),
  secretKey: rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters")),
  keyFile: rule.text("the path of a key file"),
};

/** What a new volume may hold, and what an earlier attempt leaves. */
const isAllowed = (name: string): boolean =>
  /^(?:x\.key(?:\.new)?|x\.lock(?:-journal)?|x\.db\.new.*|lost\+found)$/.test(name);

/**
 * Locks a folder that has no data yet, and creates it if it does not exist. Rejects with `store_locked` when a service uses
 * it, and with `invalid_options` when it holds anything.
 */
export function lockEmptyFolder(folder: string): () => void {
  makeFolder(folder);
  const check = (): void => {
    const found = readdirSync(folder).find((name) => !isAllowed(name));
    if (found !== undefined) throw new XError("invalid_options", ["data", "an empty folder", `one with ${found}`]);
  };
  // A folder of something else gets no lock file.
  if (!existsSync(join(folder, "x.db"))) check();
  const unlock = lockFolder(folder);
  try {
    check();
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Checks a copy of a backup; returns how its secrets are encrypted. */
function checkCopy(draft: string, file: string): Sealing | undefined {
  const database = new DatabaseSync(draft);
  try {
    checkHeader(database, file);
    checkEveryPage(database, file);
    return readSealing(database);
  } finally {
    database.close();
  }
}

async function checkKey(secret: Secret, sealing: Sealing, file: string, name: string): Promise<void> {
  if (await sealWith(secret, sealing)) return;
  throw new XError("secret_key_wrong", [file, name, "the key of the folder at the time of the backup"]);
}

/** Checks the key of a backup, and puts the key file into its folder. */
async function placeKey(sealing: Sealing, folder: string, options: DataRestore): Promise<void> {
  const { file, secretKey, keyFile } = options;
  if (sealing.key === "given") {
    if (secretKey !== undefined) await checkKey(parseSecretKey(secretKey), sealing, file, "the given secret key");
    return;
  }
  const own = keyFileOf(folder);
  const source = keyFile ?? own;
  const bytes = readKeyFile(source);
  if (!bytes) {
    const expected = "a copy of the file x.key of its folder: name it with --key-file, or put it into the new folder";
    throw new XError("secret_key_missing", [file, expected]);
  }
  await checkKey({ bytes }, sealing, file, `the key in ${source}`);
  if (existsSync(own)) {
    if (readKeyFile(own)?.equals(bytes)) return;
    throw new XError("invalid_options", ["data", "a folder without another key", `one with ${basename(own)}`]);
  }
  writeFileSync(`${own}.new`, `${bytes.toString("hex")}\n`, { mode: 0o600 });
  settleFile(`${own}.new`, own);
}

async function copyFile(file: string, draft: string): Promise<void> {
  if (existsSync(`${file}-wal`)) {
    const problem = `${file}-wal beside it is a part of it, so it is the file of a service; make a backup of its folder`;
    throw new StoreFailure(corruptFailure(file, problem));
  }
  await pipeline(createReadStream(file), createWriteStream(draft, { mode: 0o600 }));
}

/**
 * Makes a data folder of a backup. The copy and its key are checked before the data file gets its name: a folder is restored
 * whole or not at all. Rejects with `store_locked` when a service uses the folder, with `invalid_options` when it is not
 * empty, and with `store_corrupt`, `store_version`, `secret_key_missing` or `secret_key_wrong`.
 */
export async function restoreData(options: DataRestore): Promise<RestoredData> {
  checkOptions(options, restoreRules);
  const [file, folder] = [resolve(options.file), resolve(options.data)];
  if (!existsSync(file)) throw new XError("invalid_options", ["file", "a backup", options.file]);
  const draft = join(folder, "x.db.new");
  let unlock: (() => void) | undefined;
  try {
    unlock = lockEmptyFolder(folder);
    await copyFile(file, draft);
    const sealing = checkCopy(draft, file);
    if (sealing) await placeKey(sealing, folder, options);
    settleFile(draft, join(folder, "x.db"));
    return { key: sealing?.key ?? "none" };
  } catch (error) {
    if (unlock) rmSync(draft, { force: true });
    throw storeError(file, "restore the backup", error);
  } finally {
    unlock?.();
  }
}
