import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError } from "../../model/errors.ts";
import { checkOptions, rule, type Rules } from "../../model/rules.ts";
import { type Logger, silentLogger } from "../../api/options.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";

export interface SecretKeyRotation {
  /** A data folder that no process has. */
  readonly data: string;
  /** The key until now; absent: the file `x.key` of the folder. */
  readonly secretKey?: string | undefined;
  /** The key from now on, as the option `secretKey`; absent: a new one in the file `x.key`. */
  readonly newSecretKey?: string | undefined;
  readonly logger?: Logger;
}

const key = rule.secret(rule.text("32 bytes in hex or base64, or a passphrase of at least 12 characters"));
const rotationRules: Rules<SecretKeyRotation> = {
  data: rule.text("the path of a folder"),
  secretKey: key,
  newSecretKey: key,
  logger: rule.having("info", "warn", "error"),
};

/**
 * Encrypts the secrets of a data folder with another key, all at once: whenever the process ends, the folder opens with
 * one of the two. What was encrypted with the key before is then removed from the data file; backups keep it. Resolves
 * with where the key is: in the file, or with who gave it. Rejects as `createRuntime` does; `invalid_options` when there is
 * no data in the folder.
 */
export async function rotateSecretKey(rotation: SecretKeyRotation): Promise<"file" | "given"> {
  checkOptions(rotation, rotationRules);
  const { data, secretKey, newSecretKey, logger = silentLogger } = rotation;
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
