import { randomBytes, scryptSync, timingSafeEqual } from "node:crypto";

import type { Json } from "@x/runtime";

const keyBytes = 24;
const saltBytes = 12;

/** The same text for equal values, whatever the order of their members. */
function plainText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(plainText).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${plainText(each)}`).join(",")}}`;
}

const hash = (value: Json, salt: Buffer): Buffer => scryptSync(plainText(value), salt, keyBytes);

/** A text that tells whether a secret is the same, and not what it is. */
export function makeFingerprint(value: Json): string {
  const salt = randomBytes(saltBytes);
  return `${salt.toString("base64url")}.${hash(value, salt).toString("base64url")}`;
}

/** Whether a fingerprint was made of this value. */
export function isOf(value: Json, fingerprint: string): boolean {
  const [salt = "", made = ""] = fingerprint.split(".").map((part) => Buffer.from(part, "base64url"));
  const own = hash(value, Buffer.from(salt));
  return own.length === made.length && timingSafeEqual(own, Buffer.from(made));
}
