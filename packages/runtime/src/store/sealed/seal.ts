import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";

/** Names the record that a secret belongs to: a kind, an id, whose it is. */
export type SealedPlace = readonly string[];

/** Authenticated encryption of texts under one key. */
export interface Seal {
  /** Another text each time. */
  close(text: string, place: SealedPlace): string;
  /** Undefined unless the text was sealed with this key for this place. */
  open(sealed: string, place: SealedPlace): string | undefined;
  /** The same for the same text; tells nothing about it without the key. */
  digest(text: string): string;
}

const cipher = "aes-256-gcm";
const keyBytes = 32;
/** Random: with 96 bits, one key is good for 2^32 texts (NIST SP 800-38D). */
const ivBytes = 12;
const tagBytes = 16;
/** Tells how the rest is to be read. */
const version = "sealed.1.";

/** Splits the secret into a key for each purpose. */
export function createSeal(secret: Uint8Array, salt: Uint8Array): Seal {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, salt, `x ${purpose} 1`, keyBytes));
  const sealKey = createSecretKey(derived("seal"));
  const digestKey = createSecretKey(derived("digest"));
  const boundTo = (place: SealedPlace): Buffer => Buffer.from(version + JSON.stringify(place));

  return {
    close(text, place) {
      const iv = randomBytes(ivBytes);
      const sealing = createCipheriv(cipher, sealKey, iv).setAAD(boundTo(place));
      const parts = [iv, sealing.update(text, "utf8"), sealing.final()];
      return version + Buffer.concat([...parts, sealing.getAuthTag()]).toString("base64url");
    },
    open(sealed, place) {
      if (typeof sealed !== "string" || !sealed.startsWith(version)) return undefined;
      const bytes = Buffer.from(sealed.slice(version.length), "base64url");
      if (bytes.length < ivBytes + tagBytes) return undefined;
      const tagAt = bytes.length - tagBytes;
      const opening = createDecipheriv(cipher, sealKey, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
        .setAAD(boundTo(place))
        .setAuthTag(bytes.subarray(tagAt));
      try {
        return opening.update(bytes.subarray(ivBytes, tagAt), undefined, "utf8") + opening.final("utf8");
      } catch {
        return undefined;
      }
    },
    digest: (text) => createHmac("sha256", digestKey).update(text).digest("base64url"),
  };
}
