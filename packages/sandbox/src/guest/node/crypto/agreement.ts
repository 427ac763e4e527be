import { askCrypto, askGenerate } from "x:host";

import { checkString, received, typeError, wrongType } from "../node-error.ts";
import { anyBytes, bufferOf, bytesOf, decodeBytes } from "./bytes.ts";
import { keyInput } from "./key-input.ts";
import { KeyObject } from "./key-object.ts";

interface Keys {
  readonly privateKey?: unknown;
  readonly publicKey?: unknown;
}

export function diffieHellman(options: Keys): Buffer {
  if (typeof options !== "object" || options === null) throw wrongType("options", "of type object", options);
  for (const name of ["privateKey", "publicKey"] as const)
    if (!(options[name] instanceof KeyObject))
      throw typeError("ERR_INVALID_ARG_VALUE", `The property 'options.${name}' is invalid. ${received(options[name])}`);
  const [own, other] = [keyInput(options.privateKey, "private"), keyInput(options.publicKey, "public")];
  const given = { privateKey: own.given, publicKey: other.given };
  return bufferOf(askCrypto("diffieHellman", given, [own.bytes, other.bytes]) as Uint8Array);
}

/** Elliptic-curve Diffie-Hellman. The private key stays in the guest; the host computes. */
export class ECDH {
  readonly #curve: string;
  #privateKey: Uint8Array = new Uint8Array(0);

  constructor(curve: string) {
    checkString("curve", curve);
    askCrypto("checkCurve", { curve });
    this.#curve = curve;
  }

  static convertKey(
    key: unknown,
    curve: string,
    ...rest: [inputEncoding?: unknown, outputEncoding?: unknown, format?: string]
  ): string | Buffer {
    const [inputEncoding, outputEncoding, format] = rest;
    checkString("curve", curve);
    const point = bytesOf(key, "key", inputEncoding, anyBytes);
    return decodeBytes(askCrypto("ecdhConvert", { curve, compress: format }, [point]) as Uint8Array, outputEncoding);
  }

  generateKeys(encoding?: unknown, format?: string): string | Buffer {
    this.#privateKey = askGenerate("ecdhKey", { curve: this.#curve }) as Uint8Array;
    return this.getPublicKey(encoding, format);
  }

  getPrivateKey(encoding?: unknown): string | Buffer {
    return decodeBytes(this.#privateKey.slice(), encoding);
  }

  setPrivateKey(key: unknown, encoding?: unknown): this {
    const bytes = bytesOf(key, "key", encoding, anyBytes).slice();
    askCrypto("ecdhPublic", { curve: this.#curve }, [bytes]);
    this.#privateKey = bytes;
    return this;
  }

  getPublicKey(encoding?: unknown, format?: string): string | Buffer {
    const given = { curve: this.#curve, compress: format };
    return decodeBytes(askCrypto("ecdhPublic", given, [this.#privateKey]) as Uint8Array, encoding);
  }

  computeSecret(other: unknown, inputEncoding?: unknown, outputEncoding?: unknown): string | Buffer {
    const point = bytesOf(other, "otherPublicKey", inputEncoding, anyBytes);
    const secret = askCrypto("ecdhSecret", { curve: this.#curve }, [this.#privateKey, point]);
    return decodeBytes(secret as Uint8Array, outputEncoding);
  }
}

export const createECDH = (curve: string): ECDH => new ECDH(curve);
export const getCurves = (): unknown => askCrypto("curves", {});
