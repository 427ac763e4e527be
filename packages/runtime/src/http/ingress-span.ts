import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import { XError, type Source } from "@x/model";
import type { Span, Tracing } from "../observe/contract.ts";
import { nearestTrace } from "../observe/nearest-trace.ts";
import { traceparentOf } from "../observe/traceparent.ts";

const serverError = 500;

/** Begins the span of a request to an endpoint. A request of another user's component begins a trace of its own. */
export function beginIngress(tracing: Tracing, request: EndpointRequest, source: Source, senderId?: string): Span {
  const isOthers = senderId !== undefined && senderId !== source.userId;
  return tracing.begin("request to endpoint", {
    kind: "server",
    parent: isOthers ? undefined : nearestTrace(traceparentOf(request.headers), tracing.active()),
    attributes: { "http.route": "/in/:key", "x.source.id": source.id },
  });
}

/** Ends the span with the status of the answer, which it returns. */
export function endIngress(span: Span | undefined, answer: EndpointResponse): EndpointResponse {
  const { status } = answer;
  span?.end({ "http.response.status_code": status }, status >= serverError ? String(status) : undefined);
  return answer;
}

/** Waits for a part of the work; when that is refused, the span ends. */
export const waitIn = <T>(span: Span | undefined, work: Promise<T>): Promise<T> =>
  span
    ? work.catch((error: unknown) => {
        span.end({}, XError.is(error) ? error.code : "internal");
        throw error;
      })
    : work;
