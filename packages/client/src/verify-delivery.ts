import type { Json } from "./basics.ts";

/** A delivery of a webhook as its receiver got it. */
export interface ReceivedDelivery {
  /** The webhook's signing key, `whsec_…`; several while a key is being replaced. */
  readonly signingKey: string | readonly string[];
  /** The request's headers: a `Headers`, or an object with names in lower case. */
  readonly headers: Headers | { readonly [name: string]: string | readonly string[] | undefined };
  /** The unchanged body of the request. */
  readonly body: string | Uint8Array;
  /** How old, and how far in the future, a delivery may be. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Epoch milliseconds. Default: the present. */
  readonly now?: number;
}

/** A delivery that the service has signed. */
export interface VerifiedDelivery {
  /** The same for every attempt: who has handled it, can drop the others. */
  readonly id: string;
  /** Epoch seconds of the attempt. */
  readonly timestamp: number;
  /** The parsed body. */
  readonly payload: Json;
}

/** A delivery that is not to be trusted. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  readonly code: "missing_header" | "invalid_key" | "wrong_time" | "wrong_signature" | "invalid_body";

  constructor(code: DeliveryError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const prefix = "whsec_";
const encoder = new TextEncoder();

function header(headers: ReceivedDelivery["headers"], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") throw new DeliveryError("missing_header", `Header ${name} is missing`);
  return value;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

async function importKey(text: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = fromBase64(text.startsWith(prefix) ? text.slice(prefix.length) : text);
  if (!bytes || bytes.length === 0)
    throw new DeliveryError("invalid_key", `The signing key must be ${prefix} and base64`);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/**
 * Checks the signature of a delivery (Standard Webhooks 1.0) and its age, and parses its body. Rejects with `DeliveryError`;
 * answer 400 then.
 */
export async function verifyDelivery(received: ReceivedDelivery): Promise<VerifiedDelivery> {
  const { signingKey, headers, body, toleranceSeconds = 300, now = Date.now() } = received;
  const id = header(headers, "webhook-id");
  const time = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature")
    .split(" ")
    .flatMap((each) => (each.startsWith("v1,") ? (fromBase64(each.slice(3)) ?? []) : []));
  if (!/^\d{1,15}$/.test(time) || Math.abs(now / 1000 - Number(time)) > toleranceSeconds)
    throw new DeliveryError("wrong_time", `Header webhook-timestamp must be within ${toleranceSeconds} s, got ${time}`);
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  const head = encoder.encode(`${id}.${time}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const keys = await Promise.all([signingKey].flat().map(importKey));
  const checks = keys.flatMap((key) => signatures.map((each) => crypto.subtle.verify("HMAC", key, each, signed)));
  if (!(await Promise.all(checks)).includes(true))
    throw new DeliveryError("wrong_signature", "No signature in webhook-signature is that of a signing key");
  try {
    return { id, timestamp: Number(time), payload: JSON.parse(new TextDecoder().decode(bytes)) as Json };
  } catch {
    throw new DeliveryError("invalid_body", "The body is not JSON");
  }
}
