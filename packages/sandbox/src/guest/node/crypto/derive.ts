import { askCrypto } from "x:host";

import { checkFunction, checkInteger, checkString, outOfRange, typeError } from "../node-error.ts";
import { anyBytes, bufferOf, bytesOf, viewOf } from "./bytes.ts";
import { secretBytes } from "./key-input.ts";
import { answer, checkLength } from "./random.ts";

type Callback<Value> = (error: Error | null, value?: Value) => void;
const largest = 2 ** 31 - 1;

function derivePbkdf2(
  password: unknown,
  salt: unknown,
  iterations: unknown,
  keylen: unknown,
  digest: unknown,
): () => Buffer {
  checkString("digest", digest);
  const parts = [bytesOf(password, "password", "utf8", anyBytes), bytesOf(salt, "salt", "utf8", anyBytes)];
  checkInteger("iterations", iterations, 1, largest);
  checkLength("keylen", keylen);
  return () => bufferOf(askCrypto("pbkdf2", { iterations, keylen, digest }, parts) as Uint8Array);
}

export function pbkdf2Sync(...given: [unknown, unknown, unknown, unknown, unknown]): Buffer {
  return derivePbkdf2(...given)();
}

export function pbkdf2(
  ...given: [unknown, unknown, unknown, unknown, digest: unknown, callback?: Callback<Buffer>]
): void {
  const [password, salt, iterations, keylen, digest, callback] = given;
  checkFunction("callback", callback);
  answer(callback, derivePbkdf2(password, salt, iterations, keylen, digest));
}

interface ScryptOptions {
  readonly N?: number;
  readonly r?: number;
  readonly p?: number;
  readonly cost?: number;
  readonly blockSize?: number;
  readonly parallelization?: number;
  readonly maxmem?: number;
}

function deriveScrypt(password: unknown, salt: unknown, keylen: unknown, options: ScryptOptions = {}): () => Buffer {
  const parts = [bytesOf(password, "password", "utf8", anyBytes), bytesOf(salt, "salt", "utf8", anyBytes)];
  checkLength("keylen", keylen);
  const N = options.N ?? options.cost;
  const r = options.r ?? options.blockSize;
  const p = options.p ?? options.parallelization;
  for (const [name, value] of Object.entries({ N, r, p }))
    if (value !== undefined) checkInteger(name, value, 0, 2 ** 32 - 1);
  return () => bufferOf(askCrypto("scrypt", { keylen, N, r, p, maxmem: options.maxmem }, parts) as Uint8Array);
}

export function scryptSync(...given: [unknown, unknown, unknown, options?: ScryptOptions]): Buffer {
  return deriveScrypt(...given)();
}

export function scrypt(password: unknown, salt: unknown, keylen: unknown, ...rest: unknown[]): void {
  const callback = rest.pop();
  checkFunction("callback", callback);
  answer(callback as Callback<Buffer>, deriveScrypt(password, salt, keylen, rest[0] as ScryptOptions | undefined));
}

const longestInfo = 1024;

function deriveHkdf(digest: unknown, key: unknown, salt: unknown, info: unknown, keylen: unknown): () => ArrayBuffer {
  checkString("digest", digest);
  const parts = [secretBytes(key), bytesOf(salt, "salt", "utf8", anyBytes), bytesOf(info, "info", "utf8", anyBytes)];
  checkLength("length", keylen);
  if ((parts[2]?.length ?? 0) > longestInfo)
    throw outOfRange("info", `must not contain more than ${longestInfo} bytes`, parts[2]?.length);
  return () => (askCrypto("hkdf", { digest, keylen }, parts) as Uint8Array).buffer as ArrayBuffer;
}

export function hkdfSync(...given: [unknown, unknown, unknown, unknown, unknown]): ArrayBuffer {
  return deriveHkdf(...given)();
}

export function hkdf(
  ...given: [unknown, unknown, unknown, unknown, keylen: unknown, callback?: Callback<ArrayBuffer>]
): void {
  const [digest, key, salt, info, keylen, callback] = given;
  checkFunction("callback", callback);
  answer(callback, deriveHkdf(digest, key, salt, info, keylen));
}

/** Compares in a time that depends on the lengths only: without the host, and without an early exit. */
export function timingSafeEqual(first: unknown, second: unknown): boolean {
  const [left, right] = [first, second].map((value, index) => {
    const bytes = viewOf(value);
    if (bytes) return bytes;
    const message = `The "buf${index + 1}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
    throw typeError("ERR_INVALID_ARG_TYPE", message);
  });
  if (!left || !right) return false;
  if (left.length !== right.length)
    throw Object.assign(new RangeError("Input buffers must have the same byte length"), {
      code: "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
    });
  let difference = 0;
  for (let index = 0; index < left.length; index++) difference |= (left[index] ?? 0) ^ (right[index] ?? 0);
  return difference === 0;
}
