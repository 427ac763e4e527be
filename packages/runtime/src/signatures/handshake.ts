import { createHmac } from "node:crypto";

import type { Verification } from "@x/model";
import type { EndpointResponse } from "../api/api.ts";
import { isSecret } from "./keys.ts";
import { schemeOf } from "./described-scheme.ts";
import { requestParts, type SignedRequest } from "./signed-request.ts";

/** What a handshake ends with: an answer, or why there is none. */
export type HandshakeResult = EndpointResponse | "token_mismatch" | "unreadable";

/** At most 1 KiB of printable ASCII: a value that is sent back must not become markup or a header. */
const isEcho = (text: string | null | undefined): text is string =>
  typeof text === "string" && /^[\x20-\x7e]{1,1024}$/.test(text);

const answer = (status: number, type?: string, body = ""): EndpointResponse => ({
  status,
  headers:
    type === undefined
      ? []
      : [
          ["content-type", type],
          ["x-content-type-options", "nosniff"],
        ],
  body: Buffer.from(body),
});

const echo = (text: string | null | undefined): HandshakeResult =>
  isEcho(text) ? answer(200, "text/plain; charset=utf-8", text) : "unreadable";

const json = (value: unknown): EndpointResponse => answer(200, "application/json", JSON.stringify(value));

function answerHub(query: URLSearchParams, { secrets, parameters }: Verification, asJson: boolean): HandshakeResult {
  const { verifyToken } = parameters ?? {};
  const tokens = verifyToken === undefined ? secrets : [verifyToken];
  if (!isSecret(query.get("hub.verify_token") ?? "", tokens)) return "token_mismatch";
  const challenge = query.get("hub.challenge");
  if (!isEcho(challenge)) return "unreadable";
  return asJson ? json({ "hub.challenge": challenge }) : echo(challenge);
}

/** The answer to a handshake that is not signed; undefined for other requests. */
export function openHandshake(request: SignedRequest, verification: Verification): HandshakeResult | undefined {
  const { handshake, challenge } = schemeOf(verification) ?? {};
  const method = request.method.toUpperCase();
  if (handshake === "head") return method === "HEAD" ? answer(200) : undefined;
  if (method !== "GET") return undefined;
  const query = new URLSearchParams(request.search);
  if (handshake === "query") return query.has(challenge ?? "") ? echo(query.get(challenge ?? "")) : undefined;
  if (handshake !== "hub" && handshake !== "hub-json") return undefined;
  return query.get("hub.mode") === "subscribe" ? answerHub(query, verification, handshake === "hub-json") : undefined;
}

function answerZoom(plainToken: string | undefined, [secret = ""]: readonly string[]): HandshakeResult {
  if (!isEcho(plainToken)) return "unreadable";
  const encryptedToken = createHmac("sha256", secret).update(plainToken).digest("hex");
  return json({ plainToken, encryptedToken });
}

/** The answer to a handshake whose signature was found right; undefined for other requests. */
export function signedHandshake(request: SignedRequest, verification: Verification): HandshakeResult | undefined {
  const { handshake } = schemeOf(verification) ?? {};
  const { member, headers, json: body } = requestParts(request);
  switch (handshake) {
    case "slack":
      return member("type") === "url_verification" ? echo(member("challenge")) : undefined;
    case "zoom":
      return member("event") === "endpoint.url_validation"
        ? answerZoom(member("payload.plainToken"), verification.secrets)
        : undefined;
    case "discord": {
      if (member("type") === "0") return answer(204);
      // An event of a webhook has the type 1 too.
      const isPing = member("type") === "1" && !Object.hasOwn(Object(body()), "event");
      return isPing ? json({ type: 1 }) : undefined;
    }
    case "github-ping":
      return headers("x-github-event").join() === "ping" ? answer(200) : undefined;
    case "intercom-ping":
      return member("topic") === "ping" ? answer(200) : undefined;
    default:
      return undefined;
  }
}
