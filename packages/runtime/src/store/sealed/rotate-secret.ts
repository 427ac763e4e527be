import { rmSync } from "node:fs";

import type { Sealing, Store } from "../contract.ts";
import { openSealedStore, putNextKeyInPlace, type SealedStoreOptions, sweepSecrets } from "./open-sealed.ts";
import { createSealingStore } from "./sealing-store.ts";
import { keyFileOf, nextKeyFileOf } from "../sqlite/folder-files.ts";
import { newSealing } from "./sealing-key.ts";
import { createKeyFile, parseSecretKey, type Secret } from "./secret-key.ts";
import { secretRecords } from "./secret-records.ts";

export interface SecretRotation extends SealedStoreOptions {
  /** Absent: a new key file. */
  readonly newSecretKey: string | undefined;
}

/**
 * Encrypts every secret anew, in one commit. Whenever the process ends, the store opens with the key before or with the
 * new one, and a key file is the one that fits. Resolves with where the new key is.
 */
export async function rotateSecret(inner: Store, rotation: SecretRotation): Promise<Sealing["key"]> {
  const { folder, newSecretKey, logger } = rotation;
  const given = newSecretKey === undefined ? undefined : parseSecretKey(newSecretKey);
  const store = await openSealedStore(inner, rotation);
  const records = await secretRecords(store);
  // The store has just opened with another key, so one that is there was never used.
  rmSync(nextKeyFileOf(folder), { force: true });
  const secret: Secret = given ?? { bytes: createKeyFile(nextKeyFileOf(folder)) };
  const { seal, sealing } = await newSealing(secret, { key: given ? "given" : "file", swept: false });
  await createSealingStore(inner, seal).commit([...records, { op: "sealing.put", sealing }]);
  if (given) rmSync(keyFileOf(folder), { force: true });
  else putNextKeyInPlace(folder);
  await sweepSecrets(inner, sealing, logger);
  return sealing.key;
}
