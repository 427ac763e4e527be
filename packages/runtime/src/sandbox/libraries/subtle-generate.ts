import { createSecretKey, randomBytes } from "node:crypto";

import { generatePair } from "./keys.ts";
import {
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
import { type CryptoKeyHeld, held, type ImportGiven, rsaAlgorithm } from "./subtle-key.ts";

function generateSecret({ algorithm, extractable, usages }: ImportGiven, name: string): CryptoKeyHeld {
  checkUsages(name, "secret", usages);
  if (familyOf(name).kind === "aes") {
    const bits = checkAesBits(algorithm.length, "OperationError");
    return held(createSecretKey(randomBytes(bits / 8)), { name, length: bits }, extractable, usages);
  }
  const hash = hashName(algorithm.hash);
  const bits = algorithm.length ?? blockBits(hash);
  if (bits === 0 || bits > 8 * 65_536) refuse("OperationError", "Zero-length key is not supported");
  return held(
    createSecretKey(randomBytes(Math.ceil(bits / 8))),
    { name, length: bits, hash: { name: hash } },
    extractable,
    usages,
  );
}

/** A new secret, or a new pair. */
export function generateKey(
  given: ImportGiven,
): CryptoKeyHeld | { publicKey: CryptoKeyHeld; privateKey: CryptoKeyHeld } {
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
    publicKey: held(pair.publicKey, made, true, others),
    privateKey: held(pair.privateKey, made, extractable, privateUses),
  };
}
