import type { WritableOptions } from "node:stream";
import { askCrypto } from "x:host";

import { checkString, withCode } from "../node-error.ts";
import { anyBytes, bufferOf, bytesOf, decodeBytes, GrowingBytes } from "./bytes.ts";
import { lazyStream } from "../lazy-stream.ts";
import { type KeyInput, keyInput } from "./key-input.ts";
import { answer } from "./random.ts";

type Callback<Value> = (error: Error | null, value?: Value) => void;

function signing(algorithm: unknown, { given, options }: KeyInput, streamed: boolean): object {
  const { padding, saltLength, dsaEncoding } = options;
  return { key: given, algorithm, streamed, options: { padding, saltLength, dsaEncoding } };
}

function makeSignature(algorithm: unknown, data: Uint8Array, key: unknown, streamed: boolean): Buffer {
  const input = keyInput(key, "private");
  return bufferOf(askCrypto("sign", signing(algorithm, input, streamed), [input.bytes, data]) as Uint8Array);
}

function checkSignature(
  algorithm: unknown,
  data: Uint8Array,
  key: unknown,
  signature: Uint8Array,
  streamed: boolean,
): boolean {
  const input = keyInput(key, "public");
  return askCrypto("verify", signing(algorithm, input, streamed), [input.bytes, data, signature]) as boolean;
}

/** The base class of Sign and Verify: collects data. */
class Signing extends lazyStream("Writable") {
  protected readonly algorithm: string;
  protected readonly data = new GrowingBytes();

  constructor(algorithm: string, options?: WritableOptions) {
    super(options);
    checkString("algorithm", algorithm);
    askCrypto("checkSign", { algorithm });
    this.algorithm = algorithm;
  }

  update(data: unknown, encoding?: unknown): this {
    this.data.append(bytesOf(data, "data", encoding));
    return this;
  }

  override _write(chunk: unknown, encoding: string, done: (error?: Error | null) => void): void {
    this.update(chunk, encoding);
    done();
  }
}

export class Sign extends Signing {
  sign(key: unknown, encoding?: unknown): string | Buffer {
    if (!key) throw withCode(new Error("No key provided to sign"), "ERR_CRYPTO_SIGN_KEY_REQUIRED");
    return decodeBytes(makeSignature(this.algorithm, this.data.all, key, true), encoding);
  }
}

export class Verify extends Signing {
  verify(key: unknown, signature: unknown, encoding?: unknown): boolean {
    const given = bytesOf(signature, "signature", encoding);
    return checkSignature(this.algorithm, this.data.all, key, given, true);
  }
}

export const createSign = (algorithm: string, options?: WritableOptions): Sign => new Sign(algorithm, options);
export const createVerify = (algorithm: string, options?: WritableOptions): Verify => new Verify(algorithm, options);

export function sign(algorithm: unknown, data: unknown, key: unknown, callback?: Callback<Buffer>): Buffer | undefined {
  if (algorithm !== undefined && algorithm !== null) checkString("algorithm", algorithm);
  const bytes = bytesOf(data, "data", "utf8", anyBytes);
  if (!key) throw withCode(new Error("No key provided to sign"), "ERR_CRYPTO_SIGN_KEY_REQUIRED");
  return answer(callback, () => makeSignature(algorithm ?? null, bytes, key, false));
}

export function verify(
  algorithm: unknown,
  data: unknown,
  key: unknown,
  signature: unknown,
  callback?: Callback<boolean>,
): boolean | undefined {
  if (algorithm !== undefined && algorithm !== null) checkString("algorithm", algorithm);
  const bytes = bytesOf(data, "data", "utf8", anyBytes);
  const given = bytesOf(signature, "signature", "utf8", anyBytes);
  return answer(callback, () => checkSignature(algorithm ?? null, bytes, key, given, false));
}

type CryptKind = "publicEncrypt" | "publicDecrypt" | "privateEncrypt" | "privateDecrypt";

const crypt =
  (kind: CryptKind) =>
  (key: unknown, data: unknown): Buffer => {
    const input = keyInput(key, kind.startsWith("public") ? "public" : "private");
    const { padding, oaepHash, oaepLabel, encoding } = input.options;
    const label = oaepLabel === undefined ? undefined : bytesOf(oaepLabel, "key.oaepLabel", encoding, anyBytes);
    const options = { padding, oaepHash, oaepLabel: label && bufferOf(label).toString("base64") };
    const bytes = bytesOf(data, "buffer", encoding, anyBytes);
    return bufferOf(askCrypto("crypt", { key: input.given, kind, options }, [input.bytes, bytes]) as Uint8Array);
  };

export const publicEncrypt = crypt("publicEncrypt");
export const publicDecrypt = crypt("publicDecrypt");
export const privateEncrypt = crypt("privateEncrypt");
export const privateDecrypt = crypt("privateDecrypt");
