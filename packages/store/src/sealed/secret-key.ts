import { randomBytes, scrypt } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

import { XError } from "@x/model";
import { syncFolder } from "../sqlite/data-file.ts";

/** A key, or the passphrase from which it is derived. */
export type Secret = { readonly bytes: Buffer } | { readonly passphrase: string };

const keyBytes = 32;
const shortestPassphrase = 12;
/** Bytes; a key with the line breaks that an editor may add. */
const longestFile = 1024;
/** About 0.2 s and 32 MiB for each guess. */
const scryptCost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };

const hexKey = /^[0-9a-f]{64}$/i;
const base64Key = /^[0-9A-Za-z+/_-]{43}=?$/;

/** Parses the option `secretKey`. Throws `invalid_options`, without the key in its message. */
export function parseSecretKey(given: string): Secret {
  const text = given.trim();
  if (hexKey.test(text)) return { bytes: Buffer.from(text, "hex") };
  if (base64Key.test(text)) return { bytes: Buffer.from(text, "base64") };
  if (text.length >= shortestPassphrase) return { passphrase: text };
  const expected = `32 bytes in hex or base64, or a passphrase of at least ${shortestPassphrase} characters`;
  throw new XError("invalid_options", ["secretKey", expected, `${text.length} characters`]);
}

/** Returns the bytes of a key. Deriving them from a passphrase is slow on purpose. */
export async function secretBytes(secret: Secret, salt: Uint8Array): Promise<Uint8Array> {
  if ("bytes" in secret) return secret.bytes;
  const derive: (text: string, salt: Uint8Array, length: number, cost: object) => Promise<unknown> = promisify(scrypt);
  return (await derive(secret.passphrase.normalize("NFKC"), salt, keyBytes, scryptCost)) as Buffer;
}

const unreadable = (file: string, problem: string, cause?: unknown): XError =>
  new XError("secret_key_unreadable", [file, problem], { cause });

/** Reads a key file; undefined when there is none. Throws `secret_key_unreadable`. */
export function readKeyFile(file: string): Buffer | undefined {
  let text: string;
  try {
    // Reading a pipe or a device might never end.
    const found = statSync(file);
    if (!found.isFile()) throw unreadable(file, "it is not a file");
    text = found.size > longestFile ? "" : readFileSync(file, "latin1").trim();
  } catch (error) {
    if (XError.is(error)) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    throw unreadable(file, `it cannot be read (${code})`, error);
  }
  if (!hexKey.test(text)) throw unreadable(file, "it does not hold 64 hexadecimal digits");
  return Buffer.from(text, "hex");
}

/** True when other users may read the file. */
export const isOpenToOthers = (file: string): boolean =>
  process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0;

/** Creates a key file with a new key, durable before it returns. The folder must be locked. Never replaces a file. */
export function createKeyFile(file: string): Buffer {
  if (existsSync(file)) throw unreadable(file, "it exists already");
  const key = randomBytes(keyBytes);
  const draft = `${file}.new`;
  try {
    rmSync(draft, { force: true });
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeSync(handle, `${key.toString("hex")}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    throw new XError("store_failed", ["create the key file", error instanceof Error ? error.message : String(error)], {
      cause: error,
    });
  }
  return key;
}
