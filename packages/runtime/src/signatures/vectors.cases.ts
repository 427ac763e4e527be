import type { Verification } from "@x/model";
import type { SignedRequest } from "./signed-request.ts";

/** The time of all vectors, in seconds. */
export const vectorTime = 1_795_190_400;
const vectorUrl = "https://x.example/in/k1";

/** A request that its scheme accepts. */
export interface Vector {
  readonly name: string;
  readonly scheme: string;
  readonly secret: string;
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  /** The header of the signature. */
  readonly signature: string;
}

const t = String(vectorTime);
const slack = (name: string, body: string, signature: string, type = "application/json"): Vector => ({
  name,
  scheme: "slack",
  secret: "slack-secret",
  body,
  headers: { "content-type": type, "x-slack-request-timestamp": t, "x-slack-signature": signature },
  signature: "x-slack-signature",
});
const zoom = (name: string, body: string, signature: string): Vector => ({
  name,
  scheme: "zoom",
  secret: "zoom-secret",
  body,
  headers: { "x-zm-request-timestamp": t, "x-zm-signature": signature },
  signature: "x-zm-signature",
});

export const vectors: readonly Vector[] = [
  slack(
    "V1",
    `{"type":"event_callback","team_id":"T1","event_id":"Ev1","event":{"type":"message","channel_type":"im","channel":"D1","user":"U2","text":"hi","event_ts":"1795190400.000100"},"authorizations":[{"team_id":"T1","user_id":"U1","is_bot":false}]}`,
    "v0=fa282611691a82f52c46c98046d29fba42acf10ec1186db908a94033ce72afb9",
  ),
  slack(
    "V2",
    `{"type":"url_verification","challenge":"3eZbrw1aBm2r"}`,
    "v0=f8d5afd59043a042f2a07f2025d8d049cfbe51a85c0c74b841f67e197126dc70",
  ),
  slack(
    "V3",
    "payload=%7B%22type%22%3A%22block_actions%22%2C%22team%22%3A%7B%22id%22%3A%22T1%22%7D%2C%22user%22%3A%7B%22id%22%3A%22U2%22%7D%2C%22channel%22%3A%7B%22id%22%3A%22C1%22%7D%2C%22actions%22%3A%5B%7B%22action_id%22%3A%22ok%22%2C%22action_ts%22%3A%221795190400.1%22%7D%5D%2C%22trigger_id%22%3A%227.1.a%22%7D",
    "v0=25920ae74ce2ac331548d685acb5d753186f8fba14636e8d651b0b623c5b5c52",
    "application/x-www-form-urlencoded",
  ),
  zoom(
    "V4",
    `{"event":"meeting.created","event_ts":1795190400000,"payload":{"account_id":"A1","operator_id":"Z1","object":{"id":"99","uuid":"u==","host_id":"Z1","topic":"t"}}}`,
    "v0=917a207d40d7b3df198acbb0ff6b1d44a75d54020ee92c25142c58537f27eb30",
  ),
  zoom(
    "V5",
    `{"event":"endpoint.url_validation","payload":{"plainToken":"qgg8vlvZRS6U"},"event_ts":1795190400000}`,
    "v0=c5c92aeb06d6424fb54b89fb106ba1cf8ef844cdb4c03971e8e497f6549b4802",
  ),
  {
    name: "V6",
    scheme: "github",
    secret: "github-secret",
    body: `{"action":"opened","installation":{"id":7}}`,
    headers: {
      "content-type": "application/json",
      "x-github-event": "issues",
      "x-github-delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
      "x-hub-signature-256": "sha256=d6aecd1369627fd6ff7ff251d4b3ec133406b7bca8c9be08af4f2ba183cff316",
    },
    signature: "x-hub-signature-256",
  },
  {
    name: "V7",
    scheme: "stripe",
    secret: "whsec_test",
    body: `{"id":"evt_1","type":"charge.succeeded"}`,
    headers: {
      "stripe-signature": `t=${t},v1=005ca8f0cc0aa63479258bdb8753b0955e37987f5fdb202b881648b27a75b49b`,
    },
    signature: "stripe-signature",
  },
  {
    name: "V8",
    scheme: "shopify",
    secret: "shopify-secret",
    body: `{"shop_id":954889,"shop_domain":"acme.myshopify.com"}`,
    headers: {
      "content-type": "application/json",
      "x-shopify-topic": "orders/create",
      "x-shopify-shop-domain": "acme.myshopify.com",
      "x-shopify-webhook-id": "b54557e4-bdd9-4b37-8a5f-bf7d70bcd043",
      "x-shopify-hmac-sha256": "vUAhEe4BN5OIKcZ3jUsoBBaAwEvkdMx496fdYwHxDDU=",
    },
    signature: "x-shopify-hmac-sha256",
  },
  {
    name: "V9",
    scheme: "standard",
    secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3",
    body: `{"type":"user.created"}`,
    headers: {
      "webhook-id": "msg_1",
      "webhook-timestamp": t,
      "webhook-signature": "v1,SyfkHTKpPbAwU/Cb6009AtZBdD26bRLf9Tfxja5V5XY=",
    },
    signature: "webhook-signature",
  },
  {
    name: "V10",
    scheme: "discord",
    secret: "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c",
    body: `{"type":0}`,
    headers: {
      "x-signature-timestamp": t,
      "x-signature-ed25519":
        "ee27e58a3f4c9a5d5c821530e3737fdc1b9129ed1b29e386cd776981763efe777ef19ac6651e9e6b8b78f0bd407502db8607f5dac9605bee7a4856da1d33460f",
    },
    signature: "x-signature-ed25519",
  },
  {
    name: "V11",
    scheme: "dropbox",
    secret: "dropbox-secret",
    body: `{"list_folder":{"accounts":["dbid:A","dbid:B"]},"delta":{"users":[1]}}`,
    headers: {
      "x-dropbox-signature": "9b38c4359b23fabda3e7a093ea3e11f5b1809f06517dde300139315262afba3a",
    },
    signature: "x-dropbox-signature",
  },
  {
    name: "V12",
    scheme: "twilio",
    secret: "twilio-token",
    body: "To=%2B1&From=%2B2&Body=hi",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-twilio-signature": "v+0SqODcO7PGQ6FKv+fxP39BSTQ=",
    },
    signature: "x-twilio-signature",
  },
  {
    name: "V13 hubspot",
    scheme: "hubspot",
    secret: "hubspot-secret",
    body: `[{"eventId":1,"portalId":5,"subscriptionType":"contact.creation"}]`,
    headers: {
      "x-hubspot-request-timestamp": "1795190400000",
      "x-hubspot-signature-v3": "3ScttFfZlfSsAr/OlE33hpKdrVvPw58FZCE4siRYD3c=",
    },
    signature: "x-hubspot-signature-v3",
  },
  {
    name: "V13 square",
    scheme: "square",
    secret: "square-key",
    body: `{"merchant_id":"M1","type":"payment.updated","event_id":"e1"}`,
    headers: { "x-square-hmacsha256-signature": "eINoOhg+XuV/VJZnc2fjDb0eqZQpeS4pLMzb5RMMZkg=" },
    signature: "x-square-hmacsha256-signature",
  },
];

export const verificationOf = ({ scheme, secret }: Vector): Verification => ({ scheme, secrets: [secret] });

/** The request of a vector; `change` replaces parts of it. */
export const requestOf = ({ body, headers }: Vector, change: Partial<SignedRequest> = {}): SignedRequest => ({
  method: "POST",
  url: vectorUrl,
  search: "",
  headers: Object.entries(headers),
  body: Buffer.from(body),
  ...change,
});
