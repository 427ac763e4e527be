import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError, checkOptions, rule, toLogger, type Logger, type PinoLike, type Rules } from "@x/model";
import type { Change, Sealing, Store } from "../contract.ts";
import { keyFileOf, nextKeyFileOf } from "../sqlite/data-file.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";
import {
  openSealedStore,
  replaceKeyFile,
  type SealedStoreOptions,
  secretRecords,
  sweepSecrets,
} from "./open-sealed.ts";
import { newSealing } from "./seal.ts";
import { createKeyFile, parseSecretKey, type Secret } from "./secret-key.ts";
import { createSealingStore } from "./sealing-store.ts";

export interface SecretKeyRotation {
  /** A data folder that no process uses. */
  readonly data?: string | undefined;
  /** Instead of `data`: opens a store that no process uses. Both keys must be given then. */
  readonly store?: (() => Promise<Store>) | undefined;
  /** The current key. Default: the key in the file `x.key` of the folder. */
  readonly secretKey?: string | undefined;
  /** The new key, in a form that the option `secretKey` accepts. Default: a random key in a new file `x.key`. */
  readonly newSecretKey?: string | undefined;
  readonly logger?: Logger | PinoLike;
}

const key = rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters"));
const rotationRules: Rules<SecretKeyRotation> = {
  data: rule.text("the path of a folder"),
  store: rule.fn,
  secretKey: key,
  newSecretKey: key,
  logger: rule.having("info", "warn", "error"),
};

/** Opens a store that is not new. */
async function openOld(open: () => Promise<Store>): Promise<Store> {
  const store = await open();
  if (await store.sealing()) return store;
  await store.close();
  throw new XError("invalid_options", ["store", "one with the data of a service", "an empty one"]);
}

/**
 * Encrypts the secrets of a data folder or a store with a new key, in one commit. If the process ends early, it opens with
 * one of the two keys. Texts encrypted with the old key are then removed; backups keep them. Resolves with `file` when the
 * new key is in the key file, `given` when it is the option. Rejects as `createRuntime` does, and with `invalid_options`
 * when there is no data.
 */
export async function rotateSecretKey(rotation: SecretKeyRotation): Promise<"file" | "given"> {
  checkOptions(rotation, rotationRules);
  const { data, store, secretKey, newSecretKey, logger: given } = rotation;
  const logger = toLogger(given);
  if (store) {
    if (data !== undefined) throw new XError("invalid_options", ["store", "absent beside data", "both"]);
    if (secretKey === undefined || newSecretKey === undefined) {
      const missing = secretKey === undefined ? "secretKey" : "newSecretKey";
      throw new XError("invalid_options", [missing, `${key.expected}, because of the option store`, "nothing"]);
    }
    const next = parseSecretKey(newSecretKey);
    await using inner = closing(await openOld(store));
    const sealed = await openSealedStore(inner.store, { folder: "the given store", secretKey, logger });
    return await encryptAnew(inner.store, await secretRecords(sealed), next, "given", logger);
  }
  const folder = resolve(data ?? "");
  if (data === undefined || !existsSync(join(folder, "x.db")))
    throw new XError("invalid_options", ["data", "a folder with the file x.db", data ?? "nothing"]);
  await using engine = closing(await openSqliteStore({ folder }));
  return await rotateSecret(engine.store, { folder, secretKey, newSecretKey, logger });
}

const closing = (store: Store): AsyncDisposable & { readonly store: Store } => ({
  store,
  [Symbol.asyncDispose]: () => store.close(),
});

export interface SecretRotation extends SealedStoreOptions {
  /** Default: a new key file. */
  readonly newSecretKey: string | undefined;
}

/** Writes records with secrets again, encrypted with a new key, in one commit. */
async function encryptAnew(
  inner: Store,
  records: readonly Change[],
  secret: Secret,
  key: Sealing["key"],
  logger: Logger,
  replaceFile: () => void = () => undefined,
): Promise<Sealing["key"]> {
  const { seal, sealing } = await newSealing(secret, { key, swept: false });
  await createSealingStore(inner, seal).commit([...records, { op: "sealing.put", sealing }]);
  replaceFile();
  await sweepSecrets(inner, sealing, logger);
  return key;
}

/**
 * Encrypts every secret with a new key, in one commit. If the process ends early, the store opens with the old key or the
 * new one, and the key file matches it. Resolves with where the new key is.
 */
export async function rotateSecret(inner: Store, rotation: SecretRotation): Promise<Sealing["key"]> {
  const { folder, newSecretKey, logger } = rotation;
  const given = newSecretKey === undefined ? undefined : parseSecretKey(newSecretKey);
  const store = await openSealedStore(inner, rotation);
  const records = await secretRecords(store);
  // The store opened with the current key, so an existing next key was never used.
  rmSync(nextKeyFileOf(folder), { force: true });
  const secret: Secret = given ?? { bytes: createKeyFile(nextKeyFileOf(folder)) };
  return encryptAnew(inner, records, secret, given ? "given" : "file", logger, () => {
    if (given) rmSync(keyFileOf(folder), { force: true });
    else replaceKeyFile(folder);
  });
}
