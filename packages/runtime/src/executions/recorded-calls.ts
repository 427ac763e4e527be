import type { TracedExchange } from "../invocation/run-trace.ts";
import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import type { RecordedCall } from "../model/execution-model.ts";
import { cutText } from "../model/text-limits.ts";
import { maskedBody, maskedHeaders } from "./masked.ts";
import type { RecordBounds, Room } from "./record-bounds.ts";

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
    url: cutText(mask.text(url), bounds.url),
    status: reply?.status ?? null,
    ...(error !== undefined && { error: cutText(mask.text(error), bounds.url) }),
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
