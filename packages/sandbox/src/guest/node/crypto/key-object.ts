import { askCrypto, cryptoKeyContent } from "x:host";

import type { KeyContent } from "../../parts/crypto-key.ts";
import { typeError, wrongType } from "../node-error.ts";
import { bufferOf, bytesOf, encodeText, viewOf } from "./bytes.ts";

/** A key from the host. */
export interface HostKey {
  readonly type: "secret" | "public" | "private";
  /** In base64. */
  readonly bytes: string;
  readonly asymmetricKeyType?: string;
  readonly asymmetricKeyDetails?: { readonly publicExponent?: string };
}

interface ExportOptions {
  readonly format?: string;
  readonly type?: string;
  readonly cipher?: string;
  readonly passphrase?: unknown;
}

export const passphraseText = (passphrase: unknown, encoding?: unknown): string | undefined =>
  passphrase === undefined || passphrase === null
    ? undefined
    : bufferOf(bytesOf(passphrase, "options.passphrase", encoding)).toString("base64");

/** Node's KeyObject; its bytes are private until it is exported. */
export class KeyObject {
  readonly type: "secret" | "public" | "private";
  readonly #bytes: Uint8Array;
  readonly #key: HostKey;

  constructor(key: HostKey) {
    this.type = key.type;
    this.#key = key;
    this.#bytes = encodeText(key.bytes, "base64");
    Object.defineProperty(this, "type", { enumerable: false });
  }

  static from(key: unknown): KeyObject {
    const content = cryptoKeyContent(key);
    if (!content) throw wrongType("key", "an instance of CryptoKey", key);
    return keyOfContent(content);
  }

  static bytesOf(key: KeyObject): Uint8Array {
    return key.#bytes;
  }

  get [Symbol.toStringTag](): string {
    return "KeyObject";
  }

  get asymmetricKeyType(): string | undefined {
    return this.#key.asymmetricKeyType;
  }

  get asymmetricKeyDetails(): object | undefined {
    const details = this.#key.asymmetricKeyDetails;
    return details?.publicExponent === undefined
      ? details && { ...details }
      : { ...details, publicExponent: BigInt(details.publicExponent) };
  }

  get symmetricKeySize(): number | undefined {
    return this.type === "secret" ? this.#bytes.length : undefined;
  }

  export(options?: ExportOptions): unknown {
    if (this.type === "secret") {
      if (options?.format !== "jwk") return bufferOf(this.#bytes.slice());
      return { kty: "oct", k: bufferOf(this.#bytes).toString("base64url") };
    }
    if (typeof options !== "object" || options === null) throw wrongType("options", "of type object", options);
    const { format, type, cipher } = options;
    const given = { key: { form: this.type }, role: this.type, format, type, cipher };
    const passphrase = passphraseText(options.passphrase);
    const answer = askCrypto("exportKey", { ...given, passphrase }, [this.#bytes]);
    return answer instanceof Uint8Array ? bufferOf(answer) : answer;
  }

  equals(other: unknown): boolean {
    if (!(other instanceof KeyObject)) throw wrongType("otherKeyObject", "an instance of KeyObject", other);
    return this.type === other.type && bufferOf(this.#bytes).equals(other.#bytes);
  }
}

function keyOfContent([{ type }, bytes]: KeyContent): KeyObject {
  if (type !== "secret")
    return new KeyObject(askCrypto("readKey", { key: { form: type }, role: type }, [bytes]) as HostKey);
  return new KeyObject({ type, bytes: bufferOf(bytes).toString("base64") });
}

export function createSecretKey(key: unknown, encoding?: unknown): KeyObject {
  const kinds = "an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  const bytes = bytesOf(key, "key", encoding, kinds);
  return new KeyObject({ type: "secret", bytes: bufferOf(bytes).toString("base64") });
}

/** The KeyObject of a KeyObject or CryptoKey; undefined for other values. */
export function keyObjectOf(value: unknown): KeyObject | undefined {
  if (value instanceof KeyObject) return value;
  const content = typeof value === "object" && value !== null && !viewOf(value) ? cryptoKeyContent(value) : undefined;
  return content && keyOfContent(content);
}

export const wrongKeyType = (type: string, wanted: string): Error =>
  typeError("ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE", `Invalid key object type ${type}, expected ${wanted}.`);
