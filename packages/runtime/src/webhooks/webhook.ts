import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

import { formatEventId } from "../model/event-id.ts";
import type { QueuedDelivery, Webhook } from "../model/listener-model.ts";

const keyPrefix = "whsec_";
const keyBytes = 32;
/** How long the key before a rotation goes on signing (G12). */
const overlapMs = 24 * 60 * 60 * 1000;
const mostPreviousKeys = 3;

/** A new signing key, as receivers of Standard Webhooks expect it. */
export const newSigningKey = (): string => keyPrefix + randomBytes(keyBytes).toString("base64");

/** The webhook with a new key; the one before signs for a day too. */
export function rotateKey(webhook: Webhook, now: number): Webhook {
  const previous = [{ key: webhook.signingKey, until: now + overlapMs }, ...webhook.previousKeys];
  return {
    ...webhook,
    signingKey: newSigningKey(),
    previousKeys: previous.filter(({ until }) => until > now).slice(0, mostPreviousKeys),
    updatedAt: now,
  };
}

/** The body of a delivery: the event as it was emitted, or in an envelope (G11, contract 3.8). */
export function deliveryBody(delivery: QueuedDelivery, webhook: Webhook): string {
  if (webhook.format === "event") return delivery.payload;
  const { eventId, ts, eventName: name, emitterId: emitter_id, payload } = delivery;
  const head = JSON.stringify({ id: formatEventId(eventId), ts: ts ?? eventId.ms, name, emitter_id });
  // Spliced, so that the event's text stays as it is.
  return `${head.slice(0, -1)},"event":${payload}}`;
}

interface SigningKey {
  readonly secret: KeyObject;
  readonly until: number;
}

/** Read once per record: reading a key costs more than signing with it. */
const signingKeys = new WeakMap<Webhook, readonly SigningKey[]>();

function keysOf(webhook: Webhook): readonly SigningKey[] {
  const known = signingKeys.get(webhook);
  if (known) return known;
  const keys = [{ key: webhook.signingKey, until: Infinity }, ...webhook.previousKeys].map(({ key, until }) => ({
    secret: createSecretKey(Buffer.from(key.slice(keyPrefix.length), "base64")),
    until,
  }));
  signingKeys.set(webhook, keys);
  return keys;
}

const sign = (secret: KeyObject, content: string): string =>
  `v1,${createHmac("sha256", secret).update(content).digest("base64")}`;

const isPlain = /^[\x21-\x7e]*$/;

/** The headers of one attempt. `webhook-id` is the same at every attempt, the signature is made anew (G12). */
export function deliveryHeaders(
  delivery: QueuedDelivery,
  webhook: Webhook,
  body: string,
  now: number,
): [string, string][] {
  const id = `msg_${delivery.emitId}`;
  const timestamp = String(Math.floor(now / 1000));
  const keys = keysOf(webhook).filter(({ until }) => until > now);
  const content = `${id}.${timestamp}.${body}`;
  const { eventName, eventId, ts } = delivery;
  return [
    ["content-type", "application/json"],
    ["webhook-id", id],
    ["webhook-timestamp", timestamp],
    ["webhook-signature", keys.map(({ secret }) => sign(secret, content)).join(" ")],
    ["x-attempt", String(delivery.attempts.length + 1)],
    ["x-emit-id", delivery.emitId],
    ["x-emitter-id", delivery.emitterId],
    ["x-event-id", formatEventId(eventId)],
    ["x-event-name", isPlain.test(eventName) ? eventName : encodeURIComponent(eventName.toWellFormed())],
    ["x-event-ts", String(ts ?? eventId.ms)],
  ];
}
