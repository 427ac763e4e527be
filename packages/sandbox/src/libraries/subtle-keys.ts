import { createSecretKey, randomBytes } from "node:crypto";

import { hostFunction, type HostFunctions } from "./answer.ts";
import { generatePair } from "./keys.ts";
import {
  type AlgorithmGiven,
  algorithmName,
  blockBits,
  checkAesBits,
  checkUsages,
  curveName,
  curves,
  familyOf,
  hashName,
  refuse,
} from "./subtle-algorithm.ts";
import { importKey } from "./subtle-import.ts";
import {
  type CryptoKeyGiven,
  type GuestCryptoKey,
  toGuestCryptoKey,
  type ImportGiven,
  jwkAlgorithm,
  keyOf,
  rsaAlgorithm,
} from "./subtle-key.ts";

function generateSecret({ algorithm, extractable, usages }: ImportGiven, name: string): GuestCryptoKey {
  checkUsages(name, "secret", usages);
  if (familyOf(name).kind === "aes") {
    const bits = checkAesBits(algorithm.length, "OperationError");
    return toGuestCryptoKey(createSecretKey(randomBytes(bits / 8)), { name, length: bits }, extractable, usages);
  }
  const hash = hashName(algorithm.hash);
  const bits = algorithm.length ?? blockBits(hash);
  if (bits === 0 || bits > 8 * 65_536) refuse("OperationError", "Zero-length key is not supported");
  return toGuestCryptoKey(
    createSecretKey(randomBytes(Math.ceil(bits / 8))),
    { name, length: bits, hash: { name: hash } },
    extractable,
    usages,
  );
}

/** A new secret key, or a new pair. */
function generateKey(given: ImportGiven): GuestCryptoKey | { publicKey: GuestCryptoKey; privateKey: GuestCryptoKey } {
  const { algorithm, extractable, usages } = given;
  const name = algorithmName(algorithm);
  const { kind, uses, publicUses = [] } = familyOf(name);
  if (kind === "derive") refuse("NotSupportedError", "Unrecognized algorithm name");
  if (kind === "aes" || kind === "hmac") return generateSecret(given, name);
  if (usages.some((usage) => !uses.includes(usage) && !publicUses.includes(usage)))
    refuse("SyntaxError", `Unsupported key usage for a ${name} key`);
  const privateUses = usages.filter((usage) => uses.includes(usage));
  if (privateUses.length === 0) refuse("SyntaxError", "Usages cannot be empty when creating a key.");
  const hash = kind === "rsa" ? hashName(algorithm.hash) : "";
  const exponent = Number(`0x${Buffer.from(algorithm.publicExponent ?? []).toString("hex")}`);
  if (kind === "rsa" && exponent !== 3 && exponent !== 65_537) refuse("OperationError", "publicExponent is 3 or 65537");
  const curve = kind === "ec" ? curveName(algorithm.namedCurve) : "";
  const options =
    kind === "rsa"
      ? { modulusLength: algorithm.modulusLength ?? 0, publicExponent: exponent }
      : { namedCurve: curves[curve] };
  const pair = generatePair({ type: kind === "okp" ? name.toLowerCase() : kind, options });
  const made =
    kind === "rsa" ? rsaAlgorithm(name, hash, pair.publicKey) : kind === "ec" ? { name, namedCurve: curve } : { name };
  const others = usages.filter((usage) => publicUses.includes(usage));
  return {
    publicKey: toGuestCryptoKey(pair.publicKey, made, true, others),
    privateKey: toGuestCryptoKey(pair.privateKey, made, extractable, privateUses),
  };
}

function exportKey({ format, key: given }: { format: string; key: CryptoKeyGiven }, bytes: Uint8Array): unknown {
  const { type, algorithm, usages, extractable } = given;
  if (!extractable) refuse("InvalidAccessError", "key is not extractable");
  const { kind } = familyOf(algorithm.name);
  const key = keyOf(given, bytes);
  if (kind === "derive") refuse("NotSupportedError", `Unable to export a ${algorithm.name} key`);
  if (format === "jwk") {
    const alg = jwkAlgorithm(algorithm);
    return { key_ops: usages, ext: extractable, ...(alg && { alg }), ...key.export({ format: "jwk" }) };
  }
  if (type === "secret" && format === "raw") return key.export();
  if (type === "public" && format === "spki") return key.export({ format: "der", type: "spki" });
  if (type === "private" && format === "pkcs8") return key.export({ format: "der", type: "pkcs8" });
  if (type === "public" && format === "raw" && kind !== "rsa") {
    const { x = "", y } = key.export({ format: "jwk" });
    const point = [x, y ?? ""].map((part) => Buffer.from(part, "base64url"));
    return Buffer.concat(y === undefined ? point : [Buffer.from([4]), ...point]);
  }
  const name = kind === "rsa" || type !== "public" ? "NotSupportedError" : "InvalidAccessError";
  return refuse(name, `Unable to export ${algorithm.name} ${type} key using ${format} format`);
}

export const subtleKeyFunctions: HostFunctions = {
  importCryptoKey: hostFunction(importKey),
  exportCryptoKey: hostFunction(exportKey),
  /** Length of a derived key in bits; null: all. */
  derivedBits: hostFunction(({ algorithm }: { algorithm: AlgorithmGiven }) => {
    const name = algorithmName(algorithm);
    const { kind } = familyOf(name);
    if (kind === "aes") return checkAesBits(algorithm.length, "OperationError");
    if (kind === "hmac") return algorithm.length ?? blockBits(hashName(algorithm.hash));
    return kind === "derive" ? null : refuse("NotSupportedError", "Unrecognized algorithm name");
  }),
};

export const subtleGenerateFunctions: HostFunctions = { generateCryptoKey: hostFunction(generateKey) };
