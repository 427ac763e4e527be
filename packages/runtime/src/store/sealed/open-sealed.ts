import { renameSync, rmSync } from "node:fs";

import { XError } from "../../model/errors.ts";
import type { Logger } from "../../api/options.ts";
import type { Sealing, Store } from "../contract.ts";
import { syncFolder } from "../sqlite/data-file.ts";
import type { Seal } from "./seal.ts";
import { createSealingStore } from "./sealing-store.ts";
import { keyFileOf, nextKeyFileOf } from "../sqlite/folder-files.ts";
import { newSealing, sealWith } from "./sealing-key.ts";
import { createKeyFile, isOpenToOthers, parseSecretKey, readKeyFile } from "./secret-key.ts";
import { secretRecords } from "./secret-records.ts";

export interface SealedStoreOptions {
  /** The locked data folder, where the key file is. */
  readonly folder: string;
  /** Absent: the key file, which is made for a store without encrypted secrets. */
  readonly secretKey: string | undefined;
  readonly logger: Logger;
}

/**
 * Encrypts the secrets of a store at rest. Those that are there in plain text are encrypted first, all at once. Rejects
 * with `secret_key_wrong`, `secret_key_missing` or `secret_key_unreadable`; nothing is changed then.
 */
export async function openSealedStore(inner: Store, options: SealedStoreOptions): Promise<Store> {
  const known = await inner.sealing();
  const { store, sealing } = known ? await reopen(inner, known, options) : await sealPlainRecords(inner, options);
  if (!sealing.swept) await sweepSecrets(inner, sealing, options.logger);
  return store;
}

function readKey(file: string, logger: Logger): Buffer | undefined {
  const bytes = readKeyFile(file);
  if (bytes && isOpenToOthers(file)) logger.warn("others than its owner may read the key file; chmod 600 it", { file });
  return bytes;
}

async function reopen(
  inner: Store,
  sealing: Sealing,
  { folder, secretKey, logger }: SealedStoreOptions,
): Promise<{ store: Store; sealing: Sealing }> {
  const file = keyFileOf(folder);
  const expected =
    sealing.key === "file"
      ? `the key of ${file}, which x made: restore that file, and start without a secret key`
      : "the secret key that it was last encrypted with: give that one (X_SECRET_KEY or the option secretKey)";
  const seal =
    secretKey === undefined
      ? await sealByFile(folder, sealing, expected, logger)
      : await sealWith(parseSecretKey(secretKey), sealing);
  if (!seal) {
    const which = secretKey === undefined ? `the key in ${file}` : "the secret key that was given";
    throw new XError("secret_key_wrong", [folder, which, expected]);
  }
  return { store: createSealingStore(inner, seal), sealing };
}

async function sealByFile(
  folder: string,
  sealing: Sealing,
  expected: string,
  logger: Logger,
): Promise<Seal | undefined> {
  const [file, nextFile] = [keyFileOf(folder), nextKeyFileOf(folder)];
  const next = readKeyFile(nextFile);
  const bytes = readKey(file, logger);
  const seal = bytes && (await sealWith({ bytes }, sealing));
  if (next && !seal) {
    // The change of the key was committed, and ended before its file was in place.
    const nextSeal = await sealWith({ bytes: next }, sealing);
    if (nextSeal) putNextKeyInPlace(folder);
    return nextSeal;
  }
  if (!bytes) throw new XError("secret_key_missing", [folder, expected]);
  // One that was never used.
  if (next) rmSync(nextFile);
  return seal;
}

export function putNextKeyInPlace(folder: string): void {
  renameSync(nextKeyFileOf(folder), keyFileOf(folder));
  syncFolder(folder);
}

/** For a store that has no key yet: everything secret in it is plain. */
async function sealPlainRecords(
  inner: Store,
  { folder, secretKey, logger }: SealedStoreOptions,
): Promise<{ store: Store; sealing: Sealing }> {
  const file = keyFileOf(folder);
  const secret =
    // The file may be of a start that ended right after making it, or of a data file that was moved away.
    secretKey === undefined ? { bytes: readKey(file, logger) ?? createKeyFile(file) } : parseSecretKey(secretKey);
  const plain = await secretRecords(inner);
  const key = secretKey === undefined ? "file" : "given";
  const { seal, sealing } = await newSealing(secret, { key, swept: plain.length === 0 });
  const store = createSealingStore(inner, seal);
  await store.commit([...plain, { op: "sealing.put", sealing }]);
  return { store, sealing };
}

/** What was replaced may still be in free parts of the data file; what goes wrong here is made good at the next start. */
export async function sweepSecrets(inner: Store, sealing: Sealing, logger: Logger): Promise<void> {
  try {
    await inner.sweep();
    await inner.commit([{ op: "sealing.put", sealing: { ...sealing, swept: true } }]);
  } catch (error) {
    logger.warn(
      "secrets as they were before they were encrypted may be left in the data file; the next start removes them",
      {
        error: error instanceof Error ? error.message : String(error),
      },
    );
  }
}
