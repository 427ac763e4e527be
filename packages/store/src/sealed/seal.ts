import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from "node:crypto";

import type { Sealing } from "../contract.ts";
import { type Secret, secretBytes } from "./secret-key.ts";

/** The record that a secret belongs to: kind, id and owner. It is authenticated with the secret. */
export type SecretOwner = readonly string[];

/** Authenticated encryption of texts with one key. */
export interface Seal {
  /** Encrypts a text; the result differs each time. */
  close(text: string, owner: SecretOwner): string;
  /** Decrypts a text; undefined unless it was encrypted with this key for this owner. */
  open(sealed: string, owner: SecretOwner): string | undefined;
  /** The same for bytes. */
  closeBytes(bytes: Uint8Array, owner: SecretOwner): Uint8Array;
  openBytes(sealed: Uint8Array, owner: SecretOwner): Uint8Array | undefined;
  /** The same text has the same digest, which reveals nothing about it without the key. */
  digest(text: string): string;
}

const cipher = "aes-256-gcm";
const keyBytes = 32;
/** Random IVs of 96 bits: one key may encrypt 2^32 texts (NIST SP 800-38D). */
const ivBytes = 12;
const tagBytes = 16;
/** Names the format of the rest. */
const version = "sealed.1.";

/** Derives a key for each purpose from the secret. */
export function createSeal(secret: Uint8Array, salt: Uint8Array): Seal {
  const derived = (purpose: string): Buffer =>
    Buffer.from(hkdfSync("sha256", secret, salt, `x ${purpose} 1`, keyBytes));
  const sealKey = createSecretKey(derived("seal"));
  const digestKey = createSecretKey(derived("digest"));
  const boundTo = (owner: SecretOwner): Buffer => Buffer.from(version + JSON.stringify(owner));

  function closeBytes(bytes: Uint8Array, owner: SecretOwner): Buffer {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, sealKey, iv).setAAD(boundTo(owner));
    const parts = [iv, sealing.update(bytes), sealing.final()];
    return Buffer.concat([...parts, sealing.getAuthTag()]);
  }

  function openBytes(bytes: Uint8Array, owner: SecretOwner): Buffer | undefined {
    if (bytes.length < ivBytes + tagBytes) return undefined;
    const tagAt = bytes.length - tagBytes;
    const opening = createDecipheriv(cipher, sealKey, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(boundTo(owner))
      .setAuthTag(bytes.subarray(tagAt));
    try {
      return Buffer.concat([opening.update(bytes.subarray(ivBytes, tagAt)), opening.final()]);
    } catch {
      return undefined;
    }
  }

  return {
    closeBytes,
    openBytes,
    close: (text, owner) => version + closeBytes(Buffer.from(text), owner).toString("base64url"),
    open(sealed, owner) {
      if (typeof sealed !== "string" || !sealed.startsWith(version)) return undefined;
      return openBytes(Buffer.from(sealed.slice(version.length), "base64url"), owner)?.toString("utf8");
    },
    digest: (text) => createHmac("sha256", digestKey).update(text).digest("base64url"),
  };
}

const saltBytes = 16;
const checkText = "x";
const checkOwner: SecretOwner = ["check"];

/** Makes the seal of a store; undefined when the secret is not the store's. */
export async function sealWith(secret: Secret, { salt, check }: Sealing): Promise<Seal | undefined> {
  const seal = await sealOf(secret, Buffer.from(salt, "base64"));
  return seal.open(check, checkOwner) === checkText ? seal : undefined;
}

async function sealOf(secret: Secret, salt: Uint8Array): Promise<Seal> {
  return createSeal(await secretBytes(secret, salt), salt);
}

/** Makes a seal with a new salt, and the record that the store keeps of it. */
export async function newSealing(
  secret: Secret,
  about: Pick<Sealing, "key" | "swept">,
): Promise<{ readonly seal: Seal; readonly sealing: Sealing }> {
  const salt = randomBytes(saltBytes);
  const seal = await sealOf(secret, salt);
  return { seal, sealing: { ...about, salt: salt.toString("base64"), check: seal.close(checkText, checkOwner) } };
}
