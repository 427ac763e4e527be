import { createHmac, generateKeyPairSync, sign } from "node:crypto";

import { postText, type Scenario, tick } from "../scenario.ts";
import { keyProps } from "./utilities.ts";

const keys = { privateKey: keyProps.key, publicKey: keyProps.publicKey };
const edwards = generateKeyPairSync("ed25519");
const rawKey = edwards.publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("hex");

const hooked = JSON.stringify({ type: 1, text: "ü" });
const time = "1767225600";
const signature = sign(null, Buffer.from(time + hooked), edwards.privateKey).toString("hex");
const hookedHeaders = { "x-signature-ed25519": signature, "x-signature-timestamp": time };

const card = JSON.stringify({ cards: [{ id: "c1", title: "Ü" }] });
const cardSignature = createHmac("sha1", "bs").update(card).digest("base64");

const json = (text: string, headers: { readonly [name: string]: string }): Scenario["steps"][number] => {
  const step = postText(text, "application/json", headers);
  return "request" in step ? { request: { ...step.request, body: JSON.parse(text) } } : step;
};

export const boardHook: readonly Scenario["steps"][number][] = [
  json(card, { "x-board-signature": cardSignature }),
  json(card, { "x-board-signature": "AAAA" }),
];

export const signing: readonly Scenario[] = [
  {
    title: "tokens of RSA keys are signed and verified by jose",
    component: "signing/jose-tokens.mjs",
    packages: ["jose"],
    props: keys,
    steps: [tick],
  },
  {
    title: "Node's own keys sign, seal and derive",
    component: "signing/own-keys.mjs",
    packages: [],
    props: keys,
    steps: [tick],
  },
  {
    title: "webhooks signed by Ed25519 are verified by two libraries",
    component: "signing/checked-hooks.js",
    packages: ["tweetnacl", "standardwebhooks", "svix"],
    props: { publicKey: rawKey, secret: `whsec_${Buffer.from("secret").toString("base64")}` },
    steps: [json(hooked, hookedHeaders), json(`${hooked} `, hookedHeaders)],
  },
  {
    title: "passwords are hashed and texts sealed without Node's crypto",
    component: "signing/passwords.mjs",
    packages: ["bcryptjs", "node-forge"],
    steps: [tick],
  },
  {
    title: "a request of Node's https is signed for AWS",
    component: "signing/aws4-request.mjs",
    packages: ["aws4"],
    headers: ["x-amz-date"],
    steps: [tick],
    upstream: () => ({ body: "<ok/>" }),
  },
  {
    title: "a refresh token is traded for an access token",
    component: "signing/service-account.mjs",
    packages: ["google-auth-library"],
    steps: [tick],
    upstream: ({ url }) => {
      if (url.includes("oauth2")) return { body: { access_token: "at", expires_in: 3600, token_type: "Bearer" } };
      return url.includes("/none")
        ? { status: 404, body: { error: { message: "nö" } } }
        : { body: { files: [{ id: "f" }] } };
    },
  },
];
