import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError } from "../../model/errors.ts";
import { checkOptions, rule, type Rules } from "../../model/rules.ts";
import { type Logger, type PinoLike, toLogger } from "../../api/logger.ts";
import type { Sealing, Store } from "../contract.ts";
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
  readonly data: string;
  /** The current key. Default: the key in the file `x.key` of the folder. */
  readonly secretKey?: string | undefined;
  /** The new key, in a form that the option `secretKey` accepts. Default: a random key in a new file `x.key`. */
  readonly newSecretKey?: string | undefined;
  readonly logger?: Logger | PinoLike;
}

const key = rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters"));
const rotationRules: Rules<SecretKeyRotation> = {
  data: rule.text("the path of a folder"),
  secretKey: key,
  newSecretKey: key,
  logger: rule.having("info", "warn", "error"),
};

/**
 * Encrypts the secrets of a data folder with a new key, in one commit. If the process ends early, the folder opens with
 * one of the two keys. Texts encrypted with the old key are then removed from the data file; backups keep them. Resolves
 * with `file` when the new key is in the key file, `given` when it is the option. Rejects as `createRuntime` does, and with
 * `invalid_options` when the folder holds no data.
 */
export async function rotateSecretKey(rotation: SecretKeyRotation): Promise<"file" | "given"> {
  checkOptions(rotation, rotationRules);
  const { data, secretKey, newSecretKey, logger: given } = rotation;
  const logger = toLogger(given);
  const folder = resolve(data);
  if (!existsSync(join(folder, "x.db")))
    throw new XError("invalid_options", ["data", "a folder with the file x.db", data]);
  const engine = await openSqliteStore({ folder });
  try {
    return await rotateSecret(engine, { folder, secretKey, newSecretKey, logger });
  } finally {
    await engine.close();
  }
}

export interface SecretRotation extends SealedStoreOptions {
  /** Default: a new key file. */
  readonly newSecretKey: string | undefined;
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
  const { seal, sealing } = await newSealing(secret, { key: given ? "given" : "file", swept: false });
  await createSealingStore(inner, seal).commit([...records, { op: "sealing.put", sealing }]);
  if (given) rmSync(keyFileOf(folder), { force: true });
  else replaceKeyFile(folder);
  await sweepSecrets(inner, sealing, logger);
  return sealing.key;
}
