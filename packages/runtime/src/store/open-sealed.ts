import { randomBytes } from "node:crypto";
import { join } from "node:path";

import { XError } from "../errors.ts";
import type { Source } from "../model.ts";
import type { Logger } from "../options.ts";
import type { Change, Sealing, Store } from "./contract.ts";
import { createSeal, type Seal, type SealedPlace } from "./seal.ts";
import { createSealingStore } from "./sealing-store.ts";
import { createKeyFile, isOpenToOthers, parseSecretKey, readKeyFile, type Secret, secretBytes } from "./secret-key.ts";

export interface SealedStoreOptions {
  /** The locked data folder, where the key file is. */
  readonly folder: string;
  /** Absent: the key file, which is made for a store without encrypted secrets. */
  readonly secretKey: string | undefined;
  readonly logger: Logger;
}

const saltBytes = 16;
const checkText = "x";
const checkPlace: SealedPlace = ["check"];
const pageSize = 100;

/**
 * Encrypts the secrets of a store at rest. Those that are there in plain text are encrypted first, all at once. Rejects
 * with `secret_key_wrong`, `secret_key_missing` or `secret_key_unreadable`; nothing is changed then.
 */
export async function openSealedStore(engine: Store, options: SealedStoreOptions): Promise<Store> {
  const known = await engine.sealing();
  const { store, sealing } = known ? await reopen(engine, known, options) : await sealPlainRecords(engine, options);
  if (!sealing.swept) await sweep(engine, sealing, options);
  return store;
}

const keyFileOf = (folder: string): string => join(folder, "x.key");

function readKey(file: string, logger: Logger): Buffer | undefined {
  const bytes = readKeyFile(file);
  if (bytes && isOpenToOthers(file)) logger.warn("others than its owner may read the key file; chmod 600 it", { file });
  return bytes;
}

async function sealOf(secret: Secret, salt: string): Promise<Seal> {
  const bytes = Buffer.from(salt, "base64");
  return createSeal(await secretBytes(secret, bytes), bytes);
}

async function reopen(
  engine: Store,
  sealing: Sealing,
  { folder, secretKey, logger }: SealedStoreOptions,
): Promise<{ store: Store; sealing: Sealing }> {
  const file = keyFileOf(folder);
  const expected =
    sealing.key === "file"
      ? `the key of ${file}, which the first start made: restore that file, and start without a secret key`
      : "the secret key that it was first started with: give that one (X_SECRET_KEY or the option secretKey)";
  let secret: Secret;
  if (secretKey === undefined) {
    const bytes = readKey(file, logger);
    if (!bytes) throw new XError("secret_key_missing", [folder, expected]);
    secret = { bytes };
  } else {
    secret = parseSecretKey(secretKey);
  }
  const seal = await sealOf(secret, sealing.salt);
  if (seal.open(sealing.check, checkPlace) !== checkText) {
    const which = secretKey === undefined ? `the key in ${file}` : "the secret key that was given";
    throw new XError("secret_key_wrong", [folder, which, expected]);
  }
  return { store: createSealingStore(engine, seal), sealing };
}

/** For a store that has no key yet: everything secret in it is plain. */
async function sealPlainRecords(
  engine: Store,
  { folder, secretKey, logger }: SealedStoreOptions,
): Promise<{ store: Store; sealing: Sealing }> {
  const file = keyFileOf(folder);
  const secret =
    // The file may be of a start that ended right after making it, or of a data file that was moved away.
    secretKey === undefined ? { bytes: readKey(file, logger) ?? createKeyFile(file) } : parseSecretKey(secretKey);
  const salt = randomBytes(saltBytes).toString("base64");
  const seal = await sealOf(secret, salt);
  const plain = await plainRecords(engine);
  const sealing: Sealing = {
    key: secretKey === undefined ? "file" : "given",
    salt,
    check: seal.close(checkText, checkPlace),
    swept: plain.length === 0,
  };
  const store = createSealingStore(engine, seal);
  await store.commit([...plain, { op: "sealing.put", sealing }]);
  return { store, sealing };
}

/** Changes that write every record with secrets once more. */
async function plainRecords(engine: Store): Promise<Change[]> {
  const users = await engine.users();
  const changes: Change[] = users.map((user) => ({ op: "user.put", user }));
  for (const { id } of users) {
    let page: readonly Source[] = [];
    do {
      const after = page.at(-1)?.id;
      page = (await engine.sources(id, { limit: pageSize, ...(after !== undefined && { after }) })).items;
      for (const source of page) changes.push({ op: "source.put", source });
    } while (page.length > 0);
  }
  for (const webhook of await engine.allWebhooks()) changes.push({ op: "webhook.put", webhook });
  return changes;
}

/** Their plain text may still be in free parts of the data file; what goes wrong here is made good at the next start. */
async function sweep(engine: Store, sealing: Sealing, { logger }: SealedStoreOptions): Promise<void> {
  try {
    await engine.sweep();
    await engine.commit([{ op: "sealing.put", sealing: { ...sealing, swept: true } }]);
  } catch (error) {
    logger.warn(
      "plain text of secrets that are encrypted now may be left in the data file; the next start removes it",
      {
        error: error instanceof Error ? error.message : String(error),
      },
    );
  }
}
