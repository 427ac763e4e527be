import type { TransformCallback, TransformOptions } from "node:stream";
import type { StringDecoder } from "node:string_decoder";
import { askCrypto, builtin } from "x:host";

import { checkString, withCode, wrongType } from "../node-error.ts";
import { lazyStream } from "../lazy-stream.ts";
import { anyBytes, bufferOf, bytesOf, decodeBytes, GrowingBytes } from "./bytes.ts";
import { secretBytes } from "./key-input.ts";

interface Decoders {
  readonly StringDecoder: new (encoding: BufferEncoding) => StringDecoder;
}
interface CipherOptions extends TransformOptions {
  readonly authTagLength?: number;
}

/** Encodings in which two pieces can share a character or group. */
const splitEncodings: readonly string[] = ["utf8", "utf-8", "ucs2", "ucs-2", "utf16le", "utf-16le", "base64"];
const none = new Uint8Array(0);
const invalidState = (method: string): Error =>
  withCode(new Error(`Invalid state for operation ${method}`), "ERR_CRYPTO_INVALID_STATE");

/**
 * Keeps all data; the host processes it again for each call and returns the new output. The host keeps no state, so an
 * image of the realm contains the whole cipher.
 */
class CipherBase extends lazyStream("Transform") {
  readonly #decrypt: boolean;
  readonly #name: string;
  readonly #key: Uint8Array;
  readonly #iv: Uint8Array | null;
  readonly #authTagLength: number | undefined;
  readonly #isAead: boolean;
  readonly #data = new GrowingBytes();
  #aad: GrowingBytes | undefined;
  #plaintextLength: number | undefined;
  #tag: Uint8Array | undefined;
  #autoPadding = true;
  #decoder: StringDecoder | undefined;
  /** Bytes of output so far. */
  #outputLength = 0;
  #done = false;

  constructor(decrypt: boolean, name: unknown, key: unknown, iv: unknown, options?: CipherOptions) {
    super(options);
    checkString("cipher", name);
    this.#decrypt = decrypt;
    this.#name = name;
    this.#key = secretBytes(key, "utf8").slice();
    if (iv === undefined) throw wrongType("iv", anyBytes, iv);
    this.#iv = iv === null ? null : bytesOf(iv, "iv", "utf8", anyBytes).slice();
    this.#authTagLength = options?.authTagLength;
    this.#isAead = askCrypto("checkCipher", this.#hostOptions(false), [this.#key, this.#iv ?? none]) as boolean;
  }

  #hostOptions(final: boolean): object {
    return {
      name: this.#name,
      decrypt: this.#decrypt,
      hasIv: this.#iv !== null,
      authTagLength: this.#authTagLength,
      plaintextLength: this.#plaintextLength,
      autoPadding: this.#autoPadding,
      hasAad: this.#aad !== undefined,
      hasTag: this.#tag !== undefined,
      final,
      from: this.#outputLength,
    };
  }

  #run(final: boolean): Uint8Array {
    const parts = [this.#key, this.#iv ?? none, this.#aad?.all ?? none, this.#tag ?? none, this.#data.all];
    return askCrypto("cipher", this.#hostOptions(final), parts) as Uint8Array;
  }

  update(data: unknown, inputEncoding?: unknown, outputEncoding?: unknown): string | Buffer {
    const piece = bytesOf(data, "data", inputEncoding);
    if (this.#done) throw new Error("Trying to add data in unsupported state");
    this.#data.append(piece);
    const output = this.#run(false);
    this.#outputLength += output.length;
    return this.#show(output, outputEncoding, false);
  }

  final(outputEncoding?: unknown): string | Buffer {
    if (this.#done) throw withCode(new Error("Invalid state"), "ERR_CRYPTO_INVALID_STATE");
    const output = this.#run(true);
    this.#done = true;
    if (this.#decrypt || !this.#isAead) return this.#show(output, outputEncoding, true);
    const cut = output.length - (this.#authTagLength ?? 16);
    this.#tag = output.slice(cut);
    return this.#show(output.slice(0, cut), outputEncoding, true);
  }

  /** The output in an encoding; an incomplete character at its end waits for the next piece. */
  #show(output: Uint8Array, encoding: unknown, isLast: boolean): string | Buffer {
    const name = String(encoding).toLowerCase() as BufferEncoding;
    if (!splitEncodings.includes(name)) return decodeBytes(output, encoding);
    this.#decoder ??= new (builtin("node:string_decoder") as Decoders).StringDecoder(name);
    return isLast ? this.#decoder.end(bufferOf(output)) : this.#decoder.write(bufferOf(output));
  }

  setAutoPadding(autoPadding = true): this {
    if (this.#done) throw invalidState("setAutoPadding");
    this.#autoPadding = Boolean(autoPadding);
    return this;
  }

  setAAD(aad: unknown, options?: { plaintextLength?: number; encoding?: string }): this {
    if (this.#done || !this.#isAead) throw invalidState("setAAD");
    this.#aad ??= new GrowingBytes();
    this.#aad.append(bytesOf(aad, "buffer", options?.encoding, anyBytes));
    this.#plaintextLength = options?.plaintextLength;
    return this;
  }

  getAuthTag(): Buffer {
    if (this.#decrypt || !this.#done || !this.#tag) throw invalidState("getAuthTag");
    return bufferOf(this.#tag.slice());
  }

  setAuthTag(tag: unknown, encoding?: unknown): this {
    if (!this.#decrypt || this.#done || this.#tag || !this.#isAead) throw invalidState("setAuthTag");
    const bytes = bytesOf(tag, "buffer", encoding, anyBytes).slice();
    askCrypto("checkTag", { ...this.#hostOptions(false), hasTag: true }, [this.#key, this.#iv ?? none, bytes]);
    this.#tag = bytes;
    return this;
  }

  override _transform(chunk: unknown, encoding: string, done: TransformCallback): void {
    this.push(this.update(chunk, encoding));
    done();
  }

  override _flush(done: TransformCallback): void {
    try {
      this.push(this.final());
    } catch (error) {
      return done(error as Error);
    }
    return done();
  }
}

export class Cipheriv extends CipherBase {
  constructor(name: unknown, key: unknown, iv: unknown, options?: CipherOptions) {
    super(false, name, key, iv, options);
  }
}

export class Decipheriv extends CipherBase {
  constructor(name: unknown, key: unknown, iv: unknown, options?: CipherOptions) {
    super(true, name, key, iv, options);
  }
}

type Arguments = [name: unknown, key: unknown, iv: unknown, options?: CipherOptions];

export const createCipheriv = (...given: Arguments): Cipheriv => new Cipheriv(...given);
export const createDecipheriv = (...given: Arguments): Decipheriv => new Decipheriv(...given);
export const getCiphers = (): unknown => askCrypto("ciphers", {});

export function getCipherInfo(nameOrNid: unknown, options?: { keyLength?: number; ivLength?: number }): unknown {
  if (typeof nameOrNid !== "string" && typeof nameOrNid !== "number")
    throw wrongType("nameOrNid", "one of type string or number", nameOrNid);
  return askCrypto("cipherInfo", { nameOrNid, options }) ?? undefined;
}
