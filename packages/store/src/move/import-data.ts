import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";

import { XError, checkOptions, rule, type Rules } from "@x/model";
import type { Sealing } from "../contract.ts";
import { lockEmptyFolder } from "../sealed/restore.ts";
import { newSealing, sealWith } from "../sealed/seal.ts";
import { createSealers } from "../sealed/sealing-store.ts";
import { createKeyFile, parseSecretKey, readKeyFile, type Secret } from "../sealed/secret-key.ts";
import { keyFileOf } from "../sqlite/data-file.ts";
import { openFolderTarget } from "../sqlite/row-target.ts";
import { movedTables, type RowTarget } from "./moved-tables.ts";
import { type ExportFile, openExport } from "./read-export.ts";
import { type Reseal, resealRows } from "./reseal.ts";

export interface DataImport {
  /** An export. */
  readonly file: string;
  /** The data folder to create. */
  readonly data?: string | undefined;
  /** Instead of `data`: opens an empty store, such as `openPostgresTarget` of `@x/postgres`. */
  readonly target?: (() => Promise<RowTarget>) | undefined;
  /** The key of the store that was exported. */
  readonly secretKey?: string | undefined;
  /** Instead of `secretKey`: a copy of the file `x.key` of the exported folder. */
  readonly keyFile?: string | undefined;
  /** The key of the new store. Default: for a folder, the one in its key file, which is created; else the exported store's. */
  readonly newSecretKey?: string | undefined;
}

/** An import that was made. */
export interface MadeImport {
  readonly rows: number;
  /** Where the key of the new store is: in the key file of its folder, or given. */
  readonly key: Sealing["key"];
}

const key = rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters"));
const importRules: Rules<DataImport> = {
  file: rule.text("the path of an export"),
  data: rule.text("the path of a folder"),
  target: rule.fn,
  secretKey: key,
  keyFile: rule.text("the path of a key file"),
  newSecretKey: key,
};

/** The key of the exported store. */
function givenSecret({ file, secretKey, keyFile }: DataImport, sealing: Sealing): Secret {
  const bytes = keyFile === undefined ? undefined : readKeyFile(keyFile);
  if (bytes) return { bytes };
  if (secretKey !== undefined) return parseSecretKey(secretKey);
  const expected =
    sealing.key === "file" ? "the file x.key of the exported folder (--key-file)" : "its secret key (X_SECRET_KEY)";
  throw new XError("secret_key_missing", [file, expected]);
}

interface Fill {
  readonly exported: ExportFile;
  readonly from: Reseal["from"];
  readonly secret: Secret;
  readonly key: Sealing["key"];
}

/** Fills a target with what was exported. Leaves it as it was when anything fails. */
async function fill(target: RowTarget, { exported, from, secret, key: kind }: Fill): Promise<number> {
  let count = 0;
  try {
    const { seal, sealing } = await newSealing(secret, { key: kind, swept: true });
    const reseal = { from, to: createSealers(seal), digest: seal.digest };
    for await (const { table, rows } of exported.batches()) {
      await target.write(table, resealRows(table, rows, reseal));
      count += rows.length;
    }
    await target.finish(sealing);
    return count;
  } catch (error) {
    await target.abandon();
    throw error;
  }
}

async function fillFolder(
  folder: string,
  given: Omit<Fill, "secret" | "key">,
  newSecretKey: string | undefined,
): Promise<MadeImport> {
  const unlock = lockEmptyFolder(folder);
  const file = keyFileOf(folder);
  const hadKey = existsSync(file);
  try {
    if (newSecretKey !== undefined) {
      if (hadKey) throw new XError("invalid_options", ["data", "an empty folder for a given key", "one with x.key"]);
      const secret = parseSecretKey(newSecretKey);
      return { rows: await fill(await openFolderTarget(folder), { ...given, secret, key: "given" }), key: "given" };
    }
    const bytes = readKeyFile(file) ?? createKeyFile(file);
    const rows = await fill(await openFolderTarget(folder), { ...given, secret: { bytes }, key: "file" });
    return { rows, key: "file" };
  } catch (error) {
    // Without its data file the key is of no use.
    if (!hadKey) rmSync(file, { force: true });
    throw error;
  } finally {
    unlock();
  }
}

/**
 * Fills an empty store with an export, and encrypts its secrets with the key of the new store. The store has all of it or
 * none. Rejects with `invalid_options` when the store is not empty, `store_locked` when it is in use, `store_corrupt` for an
 * export that was cut off or changed, `store_version` for one of a newer release, and with `secret_key_missing` or
 * `secret_key_wrong`.
 */
export async function importData(options: DataImport): Promise<MadeImport> {
  checkOptions(options, importRules);
  const { data, target, newSecretKey } = options;
  if ((data === undefined) === (target === undefined))
    throw new XError("invalid_options", ["data", "given, or target instead", target ? "both" : "neither"]);
  const file = resolve(options.file);
  const exported = await openExport(file, movedTables);
  try {
    const { sealing } = exported.header;
    const secret = givenSecret(options, sealing);
    const seal = await sealWith(secret, sealing);
    if (!seal) throw new XError("secret_key_wrong", [file, "the given key", "the key of the exported data"]);
    const from = createSealers(seal);
    if (target) {
      const own = newSecretKey === undefined ? secret : parseSecretKey(newSecretKey);
      return { rows: await fill(await target(), { exported, from, secret: own, key: "given" }), key: "given" };
    }
    return await fillFolder(resolve(data ?? ""), { exported, from }, newSecretKey);
  } finally {
    exported.close();
  }
}
