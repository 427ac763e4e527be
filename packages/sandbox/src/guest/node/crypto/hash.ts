import type { TransformCallback, TransformOptions } from "node:stream";
import { askCrypto } from "x:host";

import { checkInteger, checkString, withCode, wrongType } from "../node-error.ts";
import { lazyStream } from "../lazy-stream.ts";
import { bytesOf, decodeBytes, GrowingBytes } from "./bytes.ts";
import { secretBytes } from "./key-input.ts";

interface HashOptions extends TransformOptions {
  readonly outputLength?: number;
}

/** Checks that succeed in every Node, so that the host need not be called. */
const passedChecks = new Set(
  ["sha1", "sha256", "sha384", "sha512"].flatMap((name) => [
    `checkHash ${name} undefined`,
    `checkHmac ${name} undefined`,
  ]),
);

/** Throws Node's error for an unknown algorithm. */
function check(kind: "checkHash" | "checkHmac", algorithm: string, outputLength?: number): void {
  const key = `${kind} ${algorithm} ${outputLength}`;
  if (passedChecks.has(key)) return;
  askCrypto(kind, { algorithm, outputLength });
  passedChecks.add(key);
}

const finalized = (): Error => withCode(new Error("Digest already called"), "ERR_CRYPTO_HASH_FINALIZED");

/**
 * A stream that takes data and ends with its digest. Keeps its data and calls the host once, at the end. The host keeps
 * no state, so an image contains the whole digest.
 */
abstract class Digest extends lazyStream("Transform") {
  #data = new GrowingBytes();
  #isDone = false;

  /** The digest of all data. */
  protected abstract compute(data: Uint8Array): Uint8Array;
  /** The result of a second call of `digest`. */
  protected abstract again(): Uint8Array;

  update(data: unknown, encoding?: unknown): this {
    if (this.#isDone) throw finalized();
    this.#data.append(bytesOf(data, "data", encoding));
    return this;
  }

  digest(encoding?: unknown): string | Buffer {
    const bytes = this.#isDone ? this.again() : this.compute(this.#data.all);
    this.#isDone = true;
    return decodeBytes(bytes, encoding);
  }

  protected copyData<To extends Digest>(to: To): To {
    if (this.#isDone) throw finalized();
    to.#data = this.#data.copy();
    return to;
  }

  override _transform(chunk: unknown, encoding: string, done: TransformCallback): void {
    this.update(chunk, encoding);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(this.compute(this.#data.all));
    done();
  }
}

export class Hash extends Digest {
  #algorithm: string;
  #outputLength: number | undefined;

  constructor(algorithm: string, options?: HashOptions) {
    super(options);
    checkString("algorithm", algorithm);
    const outputLength = options?.outputLength;
    if (outputLength !== undefined) checkInteger("options.outputLength", outputLength, 0, 2 ** 32 - 1);
    check("checkHash", algorithm, outputLength);
    this.#algorithm = algorithm;
    this.#outputLength = outputLength;
  }

  copy(options?: HashOptions): Hash {
    const outputLength = options?.outputLength ?? this.#outputLength;
    const given = { ...options, ...(outputLength !== undefined && { outputLength }) };
    return this.copyData(new Hash(this.#algorithm, given));
  }

  protected compute(data: Uint8Array): Uint8Array {
    const given = { algorithm: this.#algorithm, outputLength: this.#outputLength };
    return askCrypto("hash", given, [data]) as Uint8Array;
  }

  protected again(): never {
    throw finalized();
  }
}

export class Hmac extends Digest {
  #algorithm: string;
  #key: Uint8Array;

  constructor(algorithm: string, key: unknown, options?: TransformOptions) {
    super(options);
    checkString("hmac", algorithm);
    this.#key = secretBytes(key, options?.encoding).slice();
    check("checkHmac", algorithm);
    this.#algorithm = algorithm;
  }

  protected compute(data: Uint8Array): Uint8Array {
    return askCrypto("hmac", { algorithm: this.#algorithm }, [this.#key, data]) as Uint8Array;
  }

  /** Empty, as in Node. */
  protected again(): Uint8Array {
    return new Uint8Array(0);
  }
}

export const createHash = (algorithm: string, options?: HashOptions): Hash => new Hash(algorithm, options);
export const createHmac = (algorithm: string, key: unknown, options?: TransformOptions): Hmac =>
  new Hmac(algorithm, key, options);
export const getHashes = (): unknown => askCrypto("hashes", {});

interface HashOnceOptions {
  readonly outputEncoding?: unknown;
  readonly outputLength?: number;
}

/** The digest of complete data; in hex by default. */
export function hash(algorithm: string, data: unknown, options: unknown = "hex"): string | Buffer {
  checkString("algorithm", algorithm);
  const { outputEncoding = "hex", outputLength }: HashOnceOptions =
    typeof options === "string" ? { outputEncoding: options } : (options as HashOnceOptions);
  if (typeof outputEncoding !== "string") throw wrongType("outputEncoding", "of type string", outputEncoding);
  const input = bytesOf(data, "input");
  return decodeBytes(askCrypto("hashOnce", { algorithm, outputLength }, [input]) as Uint8Array, outputEncoding);
}
