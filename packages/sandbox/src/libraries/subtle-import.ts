import { createPublicKey, createSecretKey, ECDH, type JsonWebKey, type KeyObject } from "node:crypto";

import { readKey } from "./keys.ts";
import {
  algorithmName,
  checkAesBits,
  checkUsages,
  curveName,
  curves,
  familyOf,
  hashName,
  type KeyAlgorithm,
  refuse,
} from "./subtle-algorithm.ts";
import { type GuestCryptoKey, toGuestCryptoKey, type ImportGiven, jwkAlgorithm, rsaAlgorithm } from "./subtle-key.ts";

function checkJwk({ jwk, algorithm, extractable, usages }: ImportGiven, kty: string, alg?: string): JsonWebKey {
  if (!jwk) throw new TypeError("A key in JWK must be an object");
  const name = algorithmName(algorithm);
  if (jwk.kty !== kty) refuse("DataError", `Invalid JWK "kty" Parameter`);
  const use = familyOf(name).uses.includes("sign") ? "sig" : "enc";
  if (usages.length > 0 && jwk.use !== undefined && jwk.use !== use) refuse("DataError", `Invalid JWK "use" Parameter`);
  const { key_ops: ops } = jwk;
  if (ops !== undefined && (!Array.isArray(ops) || usages.some((usage) => !ops.includes(usage))))
    refuse("DataError", "Key operations and usage mismatch");
  if (jwk.ext === false && extractable) refuse("DataError", `JWK "ext" Parameter and extractable mismatch`);
  if (alg !== undefined && jwk.alg !== undefined && jwk.alg !== alg)
    refuse("DataError", `JWK "alg" does not match the requested algorithm`);
  return jwk;
}

function importSecret(given: ImportGiven, bytes: Uint8Array): [KeyAlgorithm, KeyObject] {
  const { format, algorithm } = given;
  const name = algorithmName(algorithm);
  const { kind } = familyOf(name);
  checkUsages(name, "secret", given.usages);
  if (format !== "raw" && !(format === "jwk" && kind !== "derive"))
    refuse("NotSupportedError", `Unable to import ${name} using ${format} format`);
  if (kind === "derive" && given.extractable) refuse("SyntaxError", "A key for derivation cannot be extractable");
  const raw = format === "raw" ? bytes : Buffer.from(String(checkJwk(given, "oct").k), "base64url");
  const key = createSecretKey(Buffer.from(raw));
  const bits = raw.length * 8;
  if (kind === "derive") return [{ name }, key];
  if (kind === "aes") checkAesBits(bits, "DataError");
  else if (bits === 0) refuse("DataError", "Zero-length key is not supported");
  const made: KeyAlgorithm =
    kind === "aes"
      ? { name, length: bits }
      : { name, length: algorithm.length ?? bits, hash: { name: hashName(algorithm.hash) } };
  if (kind === "hmac" && made.length !== undefined && (made.length > bits || made.length <= bits - 8))
    refuse("DataError", "Invalid key length");
  if (format === "jwk") checkJwk(given, "oct", jwkAlgorithm(made));
  return [made, key];
}

/** The public key of a point on a curve. */
function readPoint(curve: string, point: Uint8Array): KeyObject {
  const whole = ECDH.convertKey(
    Buffer.from(point),
    curves[curve] ?? "",
    undefined,
    undefined,
    "uncompressed",
  ) as Buffer;
  const half = (whole.length - 1) / 2;
  const [x, y] = [whole.subarray(1, 1 + half), whole.subarray(1 + half)].map((part) => part.toString("base64url"));
  return createPublicKey({ key: { kty: "EC", crv: curve, x: x ?? "", y: y ?? "" }, format: "jwk" });
}

function readPair(
  given: ImportGiven,
  bytes: Uint8Array,
  jwkType: string,
  fromRaw?: (raw: Uint8Array) => KeyObject,
): KeyObject {
  switch (given.format) {
    case "spki":
      return readKey({ form: "public" }, bytes, "public");
    case "pkcs8":
      return readKey({ form: "private" }, bytes, "private");
    case "jwk": {
      const jwk = checkJwk(given, jwkType);
      return readKey({ form: "jwk", jwk }, bytes, jwk.d === undefined ? "public" : "private");
    }
    case "raw":
      if (fromRaw) return fromRaw(bytes);
      break;
    default:
  }
  return refuse("NotSupportedError", `Unable to import ${given.algorithm.name} using ${given.format} format`);
}

function importPair(given: ImportGiven, bytes: Uint8Array): [KeyAlgorithm, KeyObject] {
  const { algorithm } = given;
  const name = algorithmName(algorithm);
  const { kind } = familyOf(name);
  const hash = kind === "rsa" ? hashName(algorithm.hash) : "";
  const curve = kind === "ec" ? curveName(algorithm.namedCurve) : name;
  let key: KeyObject;
  try {
    if (kind === "rsa") key = readPair(given, bytes, "RSA");
    else if (kind === "ec") key = readPair(given, bytes, "EC", (raw) => readPoint(curve, raw));
    else
      key = readPair(given, bytes, "OKP", (raw) =>
        createPublicKey({ key: { kty: "OKP", crv: name, x: Buffer.from(raw).toString("base64url") }, format: "jwk" }),
      );
  } catch (error) {
    if (error instanceof DOMException || error instanceof RangeError) throw error;
    return refuse("DataError", "Invalid keyData");
  }
  checkUsages(name, key.type, given.usages);
  const wanted = { rsa: "rsa", ec: "ec", okp: name.toLowerCase() }[kind as "rsa"];
  if (key.asymmetricKeyType !== wanted) refuse("DataError", "Invalid key type");
  if (kind === "ec" && key.asymmetricKeyDetails?.namedCurve !== curves[curve])
    refuse("DataError", "Named curve mismatch");
  const made = kind === "rsa" ? rsaAlgorithm(name, hash, key) : kind === "ec" ? { name, namedCurve: curve } : { name };
  if (given.format === "jwk" && kind !== "ec") checkJwk(given, given.jwk?.kty ?? "", jwkAlgorithm(made));
  return [made, key];
}

/** Imports a key in one of the standard's formats. */
export function importKey(given: ImportGiven, bytes: Uint8Array): GuestCryptoKey {
  const { kind } = familyOf(algorithmName(given.algorithm));
  const isSecret = kind === "hmac" || kind === "aes" || kind === "derive";
  const [algorithm, key] = isSecret ? importSecret(given, bytes) : importPair(given, bytes);
  return toGuestCryptoKey(key, algorithm, given.extractable || key.type === "public", given.usages);
}
