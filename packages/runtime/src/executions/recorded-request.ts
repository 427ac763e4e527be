import type { SecretMask } from "../invocation/secrets/secret-mask.ts";
import {
  cutText,
  type ExecutionDetail,
  type LoadedRequest,
  type ReceivedHead,
  type RecordedBody,
  type RecordedRequest,
} from "@x/model";
import { maskedBody, maskedJson } from "./masked.ts";
import type { RecordBounds, Room } from "./record-bounds.ts";

/** The headers within the bounds. */
function boundedHeaders(headers: ReceivedHead["headers"], most: number): ReceivedHead["headers"] {
  let room = most;
  const end = headers.findIndex(([name, value]) => {
    room -= name.length + value.length;
    return room < 0;
  });
  return end === -1 ? headers : headers.slice(0, end);
}

/** The record of a request as it was received, without the body that its stored event has. */
export function recordedRequest(
  { head, body }: LoadedRequest,
  mask: SecretMask,
  room: Room,
  bounds: RecordBounds,
  hasEvent: boolean,
): RecordedRequest {
  // As a whole: to search every header on its own takes longer.
  const { method, target, httpVersion, headers } = JSON.parse(maskedJson(head, mask)) as ReceivedHead;
  const kept = boundedHeaders(headers, bounds.received);
  const start = hasEvent || !body ? undefined : { bytes: body.byteLength, head: body.subarray(0, 2 * bounds.body) };
  const shown = start && maskedBody(start, mask, room, bounds);
  return {
    method,
    target: cutText(target, bounds.received),
    ...(httpVersion !== undefined && { httpVersion }),
    headers: kept,
    ...(kept.length < headers.length && { headersTruncated: true as const }),
    ...(shown && { body: shown }),
  };
}

interface BodyFields {
  readonly bodyRaw?: unknown;
  readonly body_b64?: unknown;
}

/** The body in the event of a request. */
function bodyOf(event: string): RecordedBody | undefined {
  const fields = JSON.parse(event) as BodyFields | null;
  if (typeof fields?.body_b64 === "string") return { base64: fields.body_b64 };
  return typeof fields?.bodyRaw === "string" && fields.bodyRaw !== "" ? { text: fields.bodyRaw } : undefined;
}

/** Adds the body to the request of a stored record, from its event. */
export function withRequestBody(detail: ExecutionDetail): ExecutionDetail {
  const { request, event } = detail;
  if (!request || event === null) return detail;
  const body = bodyOf(event);
  return body ? { ...detail, request: { ...request, body } } : detail;
}
