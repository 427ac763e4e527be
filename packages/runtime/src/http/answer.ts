import type { EndpointResponse } from "../api/api.ts";
import { connectionHeaders, type ErrorCode } from "@x/model";
import type { GuestResponse } from "@x/sandbox";

type Header = readonly [name: string, value: string];

const anyOrigin: Header = ["access-control-allow-origin", "*"];

/** A JSON answer of the runtime. */
export const jsonAnswer = (status: number, body: unknown, headers: readonly Header[] = []): EndpointResponse => ({
  status,
  headers: [["content-type", "application/json; charset=utf-8"], ...headers],
  body: Buffer.from(JSON.stringify(body)),
});

/** The response of an endpoint without `customResponse`, sent when the request or the outcome of its run is stored. */
export const defaultAnswer = (): EndpointResponse => jsonAnswer(200, { ok: true }, [anyOrigin]);

/** The response to OPTIONS without `customResponse`. `requested` is the client's access-control-request-headers. */
export function preflightAnswer(requested?: string): EndpointResponse {
  // A star does not cover `authorization`, so the requested names are returned.
  const names = requested !== undefined && /^[\w\-!#$%&'*+.^`|~, ]{1,1000}$/.test(requested) ? requested : "*";
  return {
    status: 204,
    headers: [
      anyOrigin,
      ["access-control-allow-methods", "GET,HEAD,PUT,PATCH,POST,DELETE"],
      ["access-control-allow-headers", names],
      ["access-control-max-age", "86400"],
      ["vary", "access-control-request-headers"],
    ],
    body: new Uint8Array(0),
  };
}

export type AnswerStatus = 400 | 401 | 404 | 413 | 415 | 429 | 431 | 500 | 503 | 504;

/** Error codes with short texts: senders of requests must not see details of the component. */
const statuses: { readonly [status in AnswerStatus]: { readonly error: string; readonly code: ErrorCode } } = {
  400: { error: "The body is not what its Content-Encoding says.", code: "malformed_request" },
  401: { error: "The request does not prove who sent it.", code: "unverified_request" },
  404: { error: "No active endpoint is here.", code: "not_found" },
  413: { error: "The request body is too large.", code: "payload_too_large" },
  415: { error: "The Content-Encoding is not supported.", code: "unsupported_media_type" },
  431: { error: "The query and headers are too large.", code: "payload_too_large" },
  429: { error: "Too many requests wait for this endpoint; try again later.", code: "queue_full" },
  500: { error: "The component ended without a response.", code: "no_response" },
  503: { error: "The service is shutting down.", code: "closed" },
  504: { error: "The component ran too long.", code: "sandbox_timeout" },
};

/** A response for a request without one from its component. It contains nothing about the component's code. */
export function statusAnswer(
  status: AnswerStatus,
  options: { readonly retryAfterSeconds?: number } = {},
): EndpointResponse {
  const { retryAfterSeconds } = options;
  return jsonAnswer(
    status,
    { ...statuses[status], details: {} },
    retryAfterSeconds === undefined ? [] : [["retry-after", String(retryAfterSeconds)]],
  );
}

const droppedHeaders: ReadonlySet<string> = new Set([...connectionHeaders, "proxy-authenticate"]);

/** Headers that would apply to the whole origin or host, and so to the REST interface. */
const originHeaders = new Set([
  "alt-svc",
  "clear-site-data",
  "expect-ct",
  "nel",
  "origin-agent-cluster",
  "public-key-pins",
  "public-key-pins-report-only",
  "report-to",
  "reporting-endpoints",
  "service-worker-allowed",
  "speculation-rules",
  "strict-transport-security",
]);

const isDropped = (name: string): boolean => droppedHeaders.has(name) || originHeaders.has(name);

const headerName = /^[\w\-!#$%&'*+.^`|~]+$/;
const unsafeValue = /[\0\r\n]/;
const bodilessStatuses = new Set([204, 205, 304]);

/** Header values travel as bytes: text beyond Latin-1 is sent as UTF-8. */
const asBytes = (value: string): string =>
  /[^\0-\xff]/.test(value) ? Buffer.from(value, "utf8").toString("latin1") : value;

/**
 * A component's response as the client gets it: without a body where HTTP has none, without headers of a connection or of
 * the whole origin, without headers that contain line breaks.
 */
export function finalResponse(method: string, response: GuestResponse): EndpointResponse {
  const { status } = response;
  // An informational status cannot end an exchange.
  if (!Number.isInteger(status) || status < 200 || status > 599) return statusAnswer(500);
  const named = new Set(
    response.headers
      .filter(([name]) => name.toLowerCase() === "connection")
      .flatMap(([, value]) =>
        value
          .toLowerCase()
          .split(",")
          .map((name) => name.trim()),
      ),
  );
  const headers = response.headers
    .filter(([name, value]) => headerName.test(name) && !unsafeValue.test(value))
    .filter(([name]) => !isDropped(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .map(([name, value]): Header => [name, asBytes(value)]);
  const hasBody = method.toUpperCase() !== "HEAD" && !bodilessStatuses.has(status);
  return { status, headers, body: hasBody ? response.body : new Uint8Array(0) };
}
