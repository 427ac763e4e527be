import { XError, type QueuedDelivery } from "@x/model";
import type { Tracing } from "../observe/contract.ts";
import type { Poster } from "./contract.ts";

const errorStatus = 300;

/** Sends a delivery in a span that continues the trace of its event, and passes it to the receiver. */
export function tracedPost(
  delivery: QueuedDelivery,
  post: Poster["post"],
  tracing: Tracing | undefined,
): Poster["post"] {
  if (!tracing) return post;
  const { id, webhookId, emitterId, trace: parent } = delivery;
  return async (given, signal) => {
    const attributes = {
      "x.delivery.id": id,
      "x.webhook.id": webhookId,
      "x.source.id": emitterId,
      "x.attempt": delivery.attempts.length + 1,
      "http.request.method": "POST",
      "server.address": new URL(given.url).hostname,
    };
    const span = tracing.begin("delivery", { kind: "client", parent, attributes });
    const { traceparent } = span;
    const headers =
      traceparent === undefined ? given.headers : [...given.headers, ["traceparent", traceparent] as const];
    try {
      const reply = await span.within(() => post({ ...given, headers }, signal));
      const { status } = reply;
      span.end({ "http.response.status_code": status }, status >= errorStatus ? String(status) : undefined);
      return reply;
    } catch (error) {
      span.end({}, XError.is(error) ? error.code : "network_failed");
      throw error;
    }
  };
}
