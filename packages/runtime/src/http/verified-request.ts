import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { errorText, type Verification } from "@x/model";
import { jsonAnswer, statusAnswer } from "./answer.ts";
import { type HandshakeResult, openHandshake, signedHandshake } from "../signatures/handshake.ts";
import { type Rejection, rejectionOf } from "../signatures/verify.ts";

/** How a request was answered that is no event: a handshake, or a request that is refused. */
export interface Settled {
  readonly outcome: "challenge" | "rejected" | "unreadable";
  readonly reason?: Rejection;
  readonly answer: EndpointResponse;
}

/** The answer to a request that the endpoint cannot read. */
export const unreadableAnswer = (): EndpointResponse =>
  jsonAnswer(400, { error: errorText("unreadable_request"), code: "unreadable_request", details: {} });

function settledBy(result: HandshakeResult): Settled {
  if (result === "unreadable") return { outcome: "unreadable", answer: unreadableAnswer() };
  if (result === "token_mismatch") return { outcome: "rejected", reason: result, answer: statusAnswer(401) };
  return { outcome: "challenge", answer: result };
}

/**
 * Answers handshakes, and refuses requests that do not prove who sent them. Undefined: the request is an event. `url`: what
 * was registered at the service, with the query; `now`: epoch milliseconds.
 */
export function settleRequest(
  request: EndpointRequest,
  verification: Verification,
  { url, now }: { readonly url: string; readonly now: number },
): Settled | undefined {
  const registered = { ...request, url };
  const open = openHandshake(registered, verification);
  if (open) return settledBy(open);
  const reason = rejectionOf(registered, verification, now);
  if (reason) return { outcome: "rejected", reason, answer: statusAnswer(401) };
  const signed = signedHandshake(registered, verification);
  return signed && settledBy(signed);
}
