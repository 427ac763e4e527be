import { renameSync, rmSync } from "node:fs";

import { XError, type Logger, type User } from "@x/model";
import type { Change, Sealing, Store } from "../contract.ts";
import { listItems } from "../list-items.ts";
import { keyFileOf, nextKeyFileOf, syncFolder } from "../sqlite/data-file.ts";
import { newSealing, type Seal, sealWith } from "./seal.ts";
import { createSealingStore } from "./sealing-store.ts";
import { createKeyFile, isOpenToOthers, parseSecretKey, readKeyFile } from "./secret-key.ts";

export interface SealedStoreOptions {
  /** The locked data folder, which holds the key file. */
  readonly folder: string;
  /** Default: the key file, which is created for a store without encrypted secrets. */
  readonly secretKey: string | undefined;
  readonly logger: Logger;
}

/**
 * Encrypts the secrets of a store at rest. Secrets in plain text are encrypted first, in one commit. Rejects with
 * `secret_key_wrong`, `secret_key_missing` or `secret_key_unreadable`, and changes nothing then.
 */
export async function openSealedStore(inner: Store, options: SealedStoreOptions): Promise<Store> {
  const known = await inner.sealing();
  const { store, sealing } = known ? await reopen(inner, known, options) : await sealFirst(inner, options);
  const identified = sealing.identified ? sealing : await identifyAccounts(store, sealing);
  if (!sealing.swept) await sweepSecrets(inner, identified, options.logger);
  return store;
}

function readKey(file: string, logger: Logger): Buffer | undefined {
  const bytes = readKeyFile(file);
  if (bytes && isOpenToOthers(file)) logger.warn("other users may read the key file; run chmod 600 on it", { file });
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
      ? `the key of ${file}, which x created: restore that file, and start without a secret key`
      : "the secret key of its last encryption: pass that one (X_SECRET_KEY or the option secretKey)";
  const seal =
    secretKey === undefined
      ? await sealByFile(folder, sealing, expected, logger)
      : await sealWith(parseSecretKey(secretKey), sealing);
  if (!seal) {
    const which = secretKey === undefined ? `the key in ${file}` : "the given secret key";
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
    // A change of the key was committed, but the process ended before it renamed the new file.
    const nextSeal = await sealWith({ bytes: next }, sealing);
    if (nextSeal) replaceKeyFile(folder);
    return nextSeal;
  }
  if (!bytes) throw new XError("secret_key_missing", [folder, expected]);
  // The change of the key was never committed.
  if (next) rmSync(nextFile);
  return seal;
}

/** Replaces the key file with the new one. */
export function replaceKeyFile(folder: string): void {
  renameSync(nextKeyFileOf(folder), keyFileOf(folder));
  syncFolder(folder);
}

/** Encrypts a store that has no key yet, unless another node does so at the same time. */
async function sealFirst(inner: Store, options: SealedStoreOptions): Promise<{ store: Store; sealing: Sealing }> {
  try {
    return await sealPlainRecords(inner, options);
  } catch (error) {
    const others = await inner.sealing();
    if (others) return reopen(inner, others, options);
    throw error;
  }
}

/** Encrypts a store that has no key yet. */
async function sealPlainRecords(
  inner: Store,
  { folder, secretKey, logger }: SealedStoreOptions,
): Promise<{ store: Store; sealing: Sealing }> {
  const file = keyFileOf(folder);
  const secret =
    // An existing file is from a start that ended right after it, or its data file was moved away.
    secretKey === undefined ? { bytes: readKey(file, logger) ?? createKeyFile(file) } : parseSecretKey(secretKey);
  const plain = await secretRecords(inner);
  const key = secretKey === undefined ? "file" : "given";
  const { seal, sealing } = await newSealing(secret, { key, swept: plain.length === 0 });
  const store = createSealingStore(inner, seal);
  await store.commit([...plain, { op: "sealing.put", sealing, isFirst: true }]);
  return { store, sealing };
}

/** Removes replaced secrets from free parts of the data file. After a failure the next start tries again. */
export async function sweepSecrets(inner: Store, sealing: Sealing, logger: Logger): Promise<void> {
  try {
    await inner.sweep();
    await inner.commit([{ op: "sealing.put", sealing: { ...sealing, swept: true } }]);
  } catch (error) {
    logger.warn("replaced secrets may remain in the data file; the next start removes them", {
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

async function accountsOf(store: Store, user: User): Promise<Change[]> {
  const changes: Change[] = [];
  for await (const account of listItems((page) => store.accounts(user.id, page)))
    changes.push({ op: "account.put", account });
  return changes;
}

/** Stores what the accounts of a store are addressed by, which an older version did not. */
async function identifyAccounts(store: Store, sealing: Sealing): Promise<Sealing> {
  const identified: Sealing = { ...sealing, identified: true };
  const changes: Change[] = [];
  for (const user of await store.users()) changes.push(...(await accountsOf(store, user)));
  await store.commit([...changes, { op: "sealing.put", sealing: identified }]);
  return identified;
}

async function recordsOf(store: Store, user: User): Promise<Change[]> {
  const changes: Change[] = [{ op: "user.put", user }];
  for await (const source of listItems((page) => store.sources(user.id, page)))
    changes.push({ op: "source.put", source });
  changes.push(...(await accountsOf(store, user)));
  for (const app of await store.apps(user.id)) changes.push({ op: "app.put", app });
  for (const endpoint of await store.appEndpoints(user.id)) changes.push({ op: "app_endpoint.put", endpoint });
  return changes;
}

/** Makes changes that write every record with secrets again. */
export async function secretRecords(store: Store): Promise<Change[]> {
  const changes: Change[] = [];
  for (const user of await store.users()) for (const change of await recordsOf(store, user)) changes.push(change);
  for (const transition of await store.transitions()) changes.push({ op: "transition.put", transition });
  for (const webhook of await store.allWebhooks()) changes.push({ op: "webhook.put", webhook });
  return changes;
}
