/** An algorithm of the Web Cryptography API as the author gives it; its byte members are parts of the call. */
export interface AlgorithmGiven {
  readonly name: string;
  readonly hash?: string | { readonly name: string };
  readonly namedCurve?: string;
  readonly modulusLength?: number;
  readonly publicExponent?: readonly number[];
  readonly length?: number;
  readonly saltLength?: number;
  readonly tagLength?: number;
  readonly iterations?: number;
}

/** The algorithm of a key, with standard names. */
export interface KeyAlgorithm {
  readonly name: string;
  readonly hash?: { readonly name: string };
  readonly namedCurve?: string;
  readonly modulusLength?: number;
  readonly publicExponent?: readonly number[];
  readonly length?: number;
}

export type KeyType = "secret" | "public" | "private";

interface Family {
  readonly kind: "hmac" | "aes" | "rsa" | "ec" | "okp" | "derive";
  /** Usages of a secret or private key; `publicUses` are those of a public one. */
  readonly uses: readonly string[];
  readonly publicUses?: readonly string[];
}

const cipherUses = ["encrypt", "decrypt", "wrapKey", "unwrapKey"];
const deriveUses = ["deriveKey", "deriveBits"];
const signatures = { uses: ["sign"], publicUses: ["verify"] };
const agreement = { uses: deriveUses, publicUses: [] };

const families: Readonly<Record<string, Family>> = {
  HMAC: { kind: "hmac", uses: ["sign", "verify"] },
  "AES-GCM": { kind: "aes", uses: cipherUses },
  "AES-CBC": { kind: "aes", uses: cipherUses },
  "AES-CTR": { kind: "aes", uses: cipherUses },
  "AES-KW": { kind: "aes", uses: ["wrapKey", "unwrapKey"] },
  "RSASSA-PKCS1-v1_5": { kind: "rsa", ...signatures },
  "RSA-PSS": { kind: "rsa", ...signatures },
  "RSA-OAEP": { kind: "rsa", uses: ["decrypt", "unwrapKey"], publicUses: ["encrypt", "wrapKey"] },
  ECDSA: { kind: "ec", ...signatures },
  ECDH: { kind: "ec", ...agreement },
  Ed25519: { kind: "okp", ...signatures },
  X25519: { kind: "okp", ...agreement },
  PBKDF2: { kind: "derive", uses: deriveUses },
  HKDF: { kind: "derive", uses: deriveUses },
};

const hashes: Readonly<Record<string, string>> = {
  "SHA-1": "sha1",
  "SHA-256": "sha256",
  "SHA-384": "sha384",
  "SHA-512": "sha512",
};

/** OpenSSL's names of curves. */
export const curves: Readonly<Record<string, string>> = {
  "P-256": "prime256v1",
  "P-384": "secp384r1",
  "P-521": "secp521r1",
};

export function refuse(name: string, message: string): never {
  throw new DOMException(message, name);
}

const namedAs = (names: Readonly<Record<string, unknown>>, given: unknown): string | undefined =>
  Object.keys(names).find((name) => name.toLowerCase() === String(given).toLowerCase());

/** The standard's name of an algorithm for keys. */
export const algorithmName = (given: AlgorithmGiven): string =>
  namedAs(families, given.name) ?? refuse("NotSupportedError", "Unrecognized algorithm name");

export const familyOf = (name: string): Family =>
  families[name] ?? refuse("NotSupportedError", "Unrecognized algorithm name");

/** The standard's name of a hash. */
export function hashName(given: AlgorithmGiven["hash"]): string {
  if (given === undefined) throw new TypeError("The algorithm needs a hash");
  return (
    namedAs(hashes, typeof given === "string" ? given : given.name) ??
    refuse("NotSupportedError", "Unrecognized algorithm name")
  );
}

/** Node's name of a hash. */
export const nodeHash = (given: AlgorithmGiven["hash"]): string => hashes[hashName(given)] ?? "";

export function curveName(given: string | undefined): string {
  if (given === undefined) throw new TypeError("The algorithm needs a namedCurve");
  return curves[given] === undefined ? refuse("NotSupportedError", `Unrecognized namedCurve`) : given;
}

/** Throws unless a key of this type supports all usages. */
export function checkUsages(name: string, type: KeyType, usages: readonly string[]): void {
  const { uses, publicUses = [] } = familyOf(name);
  const allowed = type === "public" ? publicUses : uses;
  if (usages.some((usage) => !allowed.includes(usage)))
    refuse("SyntaxError", `Unsupported key usage for a ${name} key`);
  if (type !== "public" && usages.length === 0)
    refuse(
      "SyntaxError",
      "Usages cannot be empty when importing a " + (type === "secret" ? "secret" : "private") + " key.",
    );
}

/** Default length of an HMAC key, in bits. */
export function blockBits(hash: string): number {
  return hash === "SHA-384" || hash === "SHA-512" ? 1024 : 512;
}

const keyBits = [128, 192, 256];

export function checkAesBits(bits: number | undefined, error: string): number {
  if (bits === undefined) throw new TypeError("The algorithm needs a length");
  return keyBits.includes(bits) ? bits : refuse(error, "Invalid key length");
}
