import type { TracedExchange } from "../invocation/run-trace.ts";
import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { RecordedCall } from "@x/model";
import { maskedBody, maskedHeaders, maskedTrace } from "./masked.ts";
import { type RecordBounds, type Room, traceBounds } from "./record-bounds.ts";

/** The record of a request and its response. */
export function recordedCall(
  { method, url, startedMs, headers, body, reply, error, durationMs }: TracedExchange,
  mask: SecretMask,
  room: Room,
  bounds: RecordBounds,
): RecordedCall {
  const requestBody = maskedBody(body, mask, room, bounds);
  const responseBody = reply && maskedBody(reply.body, mask, room, bounds);
  return {
    method: mask.text(method),
    url: maskedTrace(url, mask, bounds.url, traceBounds.urlChars),
    status: reply?.status ?? null,
    ...(error !== undefined && { error: maskedTrace(error, mask, bounds.url, traceBounds.urlChars) }),
    startedMs,
    durationMs: durationMs ?? null,
    requestBytes: body.bytes,
    responseBytes: reply?.body.bytes ?? null,
    requestHeaders: maskedHeaders(headers, mask, bounds),
    responseHeaders: reply ? maskedHeaders(reply.headers, mask, bounds) : {},
    ...(requestBody && { requestBody }),
    ...(responseBody && { responseBody }),
  };
}
