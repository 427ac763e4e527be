import { XError } from "@x/model";
import type { Span, Tracing } from "../observe/contract.ts";
import type { CallHost, GuestRequest } from "@x/sandbox";

const methods: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const errorStatus = 400;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "");

/** Adds the header, unless the component has set its own. */
const withHeader = (request: GuestRequest, { traceparent }: Span): GuestRequest =>
  traceparent === undefined || request.headers.some(([name]) => name.toLowerCase() === "traceparent")
    ? request
    : { ...request, headers: [...request.headers, ["traceparent", traceparent]] };

/** Makes a span of each request, below the span of its call. URLs may contain secrets, so spans have the host only. */
export const tracedFetch =
  (fetch: CallHost["fetch"], call: Span, tracing: Tracing): CallHost["fetch"] =>
  async (request, signal, hold) => {
    const method = methods.includes(request.method) ? request.method : "_OTHER";
    const attributes = { "http.request.method": method, "server.address": hostOf(request.url) };
    const span = tracing.begin(`request ${method}`, { kind: "client", parent: call.traceparent, attributes });
    try {
      const reply = await span.within(() => fetch(withHeader(request, span), signal, hold));
      const { status } = reply;
      span.end({ "http.response.status_code": status }, status >= errorStatus ? String(status) : undefined);
      return reply;
    } catch (error) {
      span.end({}, XError.is(error) ? error.code : "network_failed");
      throw error;
    }
  };
