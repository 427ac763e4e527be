import { type Scheme, type SignatureScheme, usualTolerance } from "./scheme.ts";

/** A signature over the body alone, in a header. */
const overBody = (
  header: string,
  rest: Partial<SignatureScheme> & { readonly prefix?: string } = {},
): SignatureScheme => {
  const { prefix, ...fields } = rest;
  return {
    kind: "signature",
    signature: { header, ...(prefix !== undefined && { prefix }) },
    algorithm: "sha256",
    encoding: "hex",
    signed: "{body}",
    ...fields,
  };
};

/** Signature and time in one list: `t=1,v1=…`. */
const inList = (header: string, tolerance: number): SignatureScheme =>
  overBody(header, {
    signature: { header, separator: ",", prefix: "v1=" },
    signed: "{t}.{body}",
    time: { header, separator: ",", prefix: "t=", unit: "s", tolerance },
  });

/** Standard Webhooks, whose headers have this prefix. */
const standard = (prefix: string): SignatureScheme => ({
  kind: "signature",
  signature: { header: `${prefix}-signature`, separator: " ", prefix: "v1," },
  algorithm: "sha256",
  encoding: "base64",
  key: "whsec",
  signed: "{id}.{t}.{body}",
  id: `${prefix}-id`,
  time: { header: `${prefix}-timestamp`, unit: "s", tolerance: usualTolerance },
});

const timeIn = (header: string, unit: "s" | "ms" = "s"): NonNullable<SignatureScheme["time"]> => ({
  header,
  unit,
  tolerance: usualTolerance,
});

/** How services sign their requests, from their public documentation. */
export const schemes: { readonly [name: string]: Scheme } = {
  github: overBody("x-hub-signature-256", { prefix: "sha256=", handshake: "github-ping" }),
  slack: overBody("x-slack-signature", {
    prefix: "v0=",
    signed: "v0:{t}:{body}",
    time: timeIn("x-slack-request-timestamp"),
    handshake: "slack",
  }),
  stripe: inList("stripe-signature", usualTolerance),
  shopify: overBody("x-shopify-hmac-sha256", { encoding: "base64" }),
  zoom: overBody("x-zm-signature", {
    prefix: "v0=",
    signed: "v0:{t}:{body}",
    time: timeIn("x-zm-request-timestamp"),
    handshake: "zoom",
  }),
  twilio: overBody("x-twilio-signature", { algorithm: "sha1", encoding: "base64", signed: "{url}{form}" }),
  discord: overBody("x-signature-ed25519", {
    algorithm: "ed25519",
    signed: "{t}{body}",
    time: timeIn("x-signature-timestamp"),
    handshake: "discord",
  }),
  hubspot: overBody("x-hubspot-signature-v3", {
    encoding: "base64",
    signed: "{method}{plainUrl}{body}{t}",
    time: timeIn("x-hubspot-request-timestamp", "ms"),
  }),
  linear: overBody("linear-signature", { time: { member: "webhookTimestamp", unit: "ms", tolerance: 60 } }),
  notion: overBody("x-notion-signature", { prefix: "sha256=" }),
  typeform: overBody("typeform-signature", { prefix: "sha256=", encoding: "base64" }),
  calendly: inList("calendly-webhook-signature", 180),
  intercom: overBody("x-hub-signature", { prefix: "sha1=", algorithm: "sha1", handshake: "intercom-ping" }),
  mailgun: {
    kind: "signature",
    signature: { member: "signature.signature" },
    algorithm: "sha256",
    encoding: "hex",
    signed: "{signature.timestamp}{signature.token}",
    time: { member: "signature.timestamp", unit: "s", tolerance: usualTolerance },
  },
  sendgrid: overBody("x-twilio-email-event-webhook-signature", {
    algorithm: "p256",
    encoding: "base64",
    signed: "{t}{body}",
    time: timeIn("x-twilio-email-event-webhook-timestamp"),
  }),
  square: overBody("x-square-hmacsha256-signature", { encoding: "base64", signed: "{url}{body}" }),
  trello: overBody("x-trello-webhook", {
    algorithm: "sha1",
    encoding: "base64",
    signed: "{body}{url}",
    handshake: "head",
  }),
  dropbox: overBody("x-dropbox-signature", { handshake: "query", challenge: "challenge" }),
  meta: overBody("x-hub-signature-256", { prefix: "sha256=", handshake: "hub" }),
  standard: standard("webhook"),
  svix: standard("svix"),
  strava: { kind: "none", handshake: "hub-json", hasSecret: true },
  gitlab: { kind: "token", header: "x-gitlab-token" },
  hmac: overBody("x-signature"),
  token: { kind: "token" },
  basic: { kind: "basic" },
  none: { kind: "none" },
};

/** The row with this name, if there is one. */
export const findScheme = (name: string): Scheme | undefined =>
  Object.hasOwn(schemes, name) ? schemes[name] : undefined;
