import type { JsonWebKey, KeyObject } from "node:crypto";

import { toGuestKey, type GuestKey, readKey } from "./keys.ts";
import type { AlgorithmGiven, KeyAlgorithm, KeyType } from "./subtle-algorithm.ts";

/** A CryptoKey from the guest. Its bytes are passed apart. */
export interface CryptoKeyGiven {
  readonly type: KeyType;
  readonly algorithm: KeyAlgorithm;
  readonly extractable: boolean;
  readonly usages: readonly string[];
}

/** A CryptoKey for the guest. */
export interface GuestCryptoKey extends CryptoKeyGiven {
  /** In base64: secret bytes, SPKI or PKCS #8. */
  readonly bytes: string;
}

/** Arguments of `importKey` and `generateKey`. */
export interface ImportGiven {
  readonly format: string;
  readonly algorithm: AlgorithmGiven;
  readonly extractable: boolean;
  readonly usages: readonly string[];
  readonly jwk?: JsonWebKey & {
    readonly key_ops?: unknown;
    readonly ext?: unknown;
    readonly use?: unknown;
    readonly alg?: unknown;
  };
}

export const keyOf = ({ type }: CryptoKeyGiven, bytes: Uint8Array): KeyObject =>
  readKey({ form: type }, bytes, type === "public" ? "public" : "private");

const orderedUses = ["encrypt", "decrypt", "sign", "verify", "deriveKey", "deriveBits", "wrapKey", "unwrapKey"];
const inOrder = (usages: readonly string[]): string[] => orderedUses.filter((usage) => usages.includes(usage));

export const toGuestCryptoKey = (
  key: KeyObject,
  algorithm: KeyAlgorithm,
  extractable: boolean,
  usages: readonly string[],
): GuestCryptoKey => {
  const { type, bytes }: GuestKey = toGuestKey(key);
  return { type, algorithm, extractable, usages: inOrder(usages), bytes };
};

/** The algorithm of an RSA key. */
export function rsaAlgorithm(name: string, hash: string, key: KeyObject): KeyAlgorithm {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const hex = publicExponent.toString(16);
  const exponent = [...Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex")];
  return { name, modulusLength, publicExponent: exponent, hash: { name: hash } };
}

/** The JWK `alg` of a key; undefined when its algorithm has none here, such as ECDSA. */
export function jwkAlgorithm({ name, hash, length = 0 }: KeyAlgorithm): string | undefined {
  const bits = hash?.name.replace("SHA-", "") ?? "";
  switch (name) {
    case "HMAC":
      return `HS${bits}`;
    case "RSASSA-PKCS1-v1_5":
      return `RS${bits}`;
    case "RSA-PSS":
      return `PS${bits}`;
    case "RSA-OAEP":
      return bits === "1" ? "RSA-OAEP" : `RSA-OAEP-${bits}`;
    case "Ed25519":
      return name;
    default:
      return name.startsWith("AES-") ? `A${length}${name.slice("AES-".length)}` : undefined;
  }
}
