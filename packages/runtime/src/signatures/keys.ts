import {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  timingSafeEqual,
  verify,
  type KeyObject,
} from "node:crypto";

import type { Algorithm, SignatureScheme } from "./scheme.ts";

const digestBytes: { readonly [algorithm in Algorithm]?: number } = { sha1: 20, sha256: 32, sha512: 64 };

/** DER of an Ed25519 public key, without its 32 bytes. */
const ed25519Head = Buffer.from("302a300506032b6570032100", "hex");

const isHex = (text: string): boolean => text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text);
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** The bytes of a text in hex or base64; undefined for another alphabet. */
function decoded(text: string, encoding: "hex" | "base64"): Buffer | undefined {
  return (encoding === "hex" ? isHex(text) : isBase64(text)) ? Buffer.from(text, encoding) : undefined;
}

function publicKey(algorithm: Algorithm, secret: string): KeyObject | undefined {
  const isEdwards = algorithm === "ed25519";
  const bytes = decoded(secret, isEdwards ? "hex" : "base64");
  if (!bytes || (isEdwards && bytes.length !== 32)) return undefined;
  try {
    const der = isEdwards ? Buffer.concat([ed25519Head, bytes]) : bytes;
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    const isCurve = isEdwards || key.asymmetricKeyDetails?.namedCurve === "prime256v1";
    return isCurve ? key : undefined;
  } catch {
    return undefined;
  }
}

const whsec = /^(?:whsec_)?([A-Za-z0-9+/]+={0,2})$/;

/** The key of an HMAC. */
function hmacKey({ key }: Pick<SignatureScheme, "key">, secret: string): Buffer | undefined {
  return key === "whsec" ? decoded(whsec.exec(secret)?.[1] ?? "", "base64") : Buffer.from(secret);
}

/** What a secret of this scheme must be; undefined for a secret that is right. */
export function secretProblem(scheme: Pick<SignatureScheme, "algorithm" | "key">, secret: string): string | undefined {
  const { algorithm, key } = scheme;
  if (algorithm === "ed25519")
    return publicKey(algorithm, secret) ? undefined : "the public key of the application, 64 hexadecimal characters";
  if (algorithm === "p256") return publicKey(algorithm, secret) ? undefined : "a public key of P-256 in base64";
  if (key === "whsec" && !hmacKey(scheme, secret)?.length) return "a key in base64 after whsec_";
  return undefined;
}

/** True when one of the signatures is that of the text by one of the secrets. All pairs are compared. */
export function isSigned(
  scheme: Pick<SignatureScheme, "algorithm" | "encoding" | "key">,
  text: readonly (string | Uint8Array)[],
  { signatures, secrets }: { readonly signatures: readonly string[]; readonly secrets: readonly string[] },
): boolean {
  const { algorithm, encoding } = scheme;
  const given = signatures.map((each) => decoded(each, encoding)).filter((each) => each !== undefined);
  const size = digestBytes[algorithm];
  let found = false;
  for (const secret of secrets) {
    if (size === undefined) {
      const key = publicKey(algorithm, secret);
      const bytes = Buffer.concat(text.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
      const hash = algorithm === "p256" ? "sha256" : undefined;
      for (const each of given) if (key && verify(hash, bytes, key, each)) found = true;
      continue;
    }
    const key = hmacKey(scheme, secret);
    if (!key) continue;
    // Of bytes, Node first tries whether they are an object with a key: that takes longer than the rest.
    const hmac = createHmac(algorithm, createSecretKey(key));
    for (const part of text) hmac.update(part);
    const expected = hmac.digest();
    for (const each of given) if (each.length === size && timingSafeEqual(each, expected)) found = true;
  }
  return found;
}

const hashed = (text: string): Buffer => createHash("sha256").update(text).digest();

/** True when the text is one of the secrets, in a time that does not depend on where they differ. */
export function isSecret(text: string, secrets: readonly string[]): boolean {
  const given = hashed(text);
  let found = false;
  for (const secret of secrets) if (timingSafeEqual(hashed(secret), given)) found = true;
  return found;
}
