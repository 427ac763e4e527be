import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";

import {
  XError,
  formatEventId,
  hasLongHost,
  longerThan,
  maxHostChars,
  newId,
  type QueuedDelivery,
  type Webhook,
} from "@x/model";
import { binaryHeaders, cloudEventAttributes } from "./cloud-event.ts";

/** The rule of the network policy that forbids a URL as it is written; undefined: no rule does. */
export type Forbidden = (url: string) => string | undefined;

/**
 * Throws `invalid_parameter` unless the URL is an absolute http or https URL, and `address_forbidden` when the network
 * policy forbids its host.
 */
export function checkUrl(url: string, forbidden: Forbidden, parameter = "url"): void {
  // The parser would add a missing slash and drop white space.
  if (!/^https?:\/\/[^/?#]/i.test(url) || /[\s\p{Cc}]/u.test(url) || hasLongHost(url) || !URL.canParse(url)) {
    const got = hasLongHost(url) ? `a host ${longerThan(maxHostChars)}` : JSON.stringify(url.slice(0, 100));
    throw new XError("invalid_parameter", [parameter, "an absolute http or https URL", got], {
      details: { received: url.slice(0, 100) },
    });
  }
  const rule = forbidden(url);
  if (rule !== undefined) {
    const host = new URL(url).hostname;
    throw new XError("address_forbidden", [host, rule], { details: { parameter, host } });
  }
}

const keyPrefix = "whsec_";
const keyBytes = 32;
/** How long the previous key signs after a rotation. */
const overlapMs = 24 * 60 * 60 * 1000;
const maxPreviousKeys = 3;

/** A new signing key in the format of Standard Webhooks. */
export const newSigningKey = (): string => keyPrefix + randomBytes(keyBytes).toString("base64");

/** A new active webhook with a signing key; not stored yet. */
export const newWebhook = (
  given: Pick<Webhook, "userId" | "url" | "name" | "description" | "format">,
  now: number,
): Webhook => ({
  id: newId("wh"),
  ...given,
  active: true,
  signingKey: newSigningKey(),
  previousKeys: [],
  skipped: 0,
  createdAt: now,
  updatedAt: now,
});

/** The webhook with a new key; the previous key also signs for 24 hours. */
export function rotateKey(webhook: Webhook, now: number): Webhook {
  const previous = [{ key: webhook.signingKey, until: now + overlapMs }, ...webhook.previousKeys];
  return {
    ...webhook,
    signingKey: newSigningKey(),
    previousKeys: previous.filter(({ until }) => until > now).slice(0, maxPreviousKeys),
    updatedAt: now,
  };
}

/** The members of an object, then the event. Spliced: parsing and serializing could change the text of the event. */
const around = (head: object, member: string, payload: string): string =>
  `${JSON.stringify(head).slice(0, -1)},"${member}":${payload}}`;

/** The body of a delivery: the event as emitted, in an envelope or in a CloudEvent. */
export function deliveryBody(delivery: QueuedDelivery, { format }: Pick<Webhook, "format">): string {
  const { eventId, ts, eventName: name, emitterId: emitter_id, payload } = delivery;
  switch (format) {
    case "event":
    case "cloudevents-binary":
      return payload;
    case "envelope":
      return around({ id: formatEventId(eventId), ts: ts ?? eventId.ms, name, emitter_id }, "event", payload);
    case "cloudevents":
      return around({ ...cloudEventAttributes(delivery), datacontenttype: jsonType }, "data", payload);
  }
}

interface SigningKey {
  readonly secret: KeyObject;
  readonly until: number;
}

/** Imported once per record: importing a key costs more than signing with it. */
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

const jsonType = "application/json";
const isPlain = /^[\x21-\x7e]*$/;

/** The headers of one attempt. Every attempt has the same `webhook-id` and its own timestamp and signature. */
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
    ["content-type", webhook.format === "cloudevents" ? "application/cloudevents+json; charset=utf-8" : jsonType],
    ...(webhook.format === "cloudevents-binary" ? binaryHeaders(cloudEventAttributes(delivery)) : []),
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
