import type { EndpointRequest } from "../api/api.ts";
import type { Json, ReceivedHead } from "@x/model";

import { joinRepeated, parseBody } from "./request-body.ts";

/** Headers of which only the first counts; repeated other ones are joined. */
const singleHeaders = new Set([
  "age",
  "authorization",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
]);

function joinHeaders(headers: EndpointRequest["headers"]): Map<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const known = joined.get(key);
    if (known === undefined) joined.set(key, value);
    else if (!singleHeaders.has(key)) joined.set(key, `${known}${key === "cookie" ? "; " : ", "}${value}`);
  }
  return joined;
}

const parseQuery = (search: string): { [name: string]: Json } => joinRepeated([...new URLSearchParams(search)]);

type HttpFields = { readonly [field: string]: Json };

function requestFields(request: EndpointRequest): HttpFields {
  return {
    method: request.method.toUpperCase(),
    path: request.path,
    query: parseQuery(request.search),
    headers: Object.fromEntries(joinHeaders(request.headers)),
    url: request.url,
    client_ip: request.clientIp,
  };
}

/** The whole event of a request, and what its body had that was not understood. */
interface WholeEvent {
  readonly event: HttpFields;
  readonly warnings: readonly string[];
}

function addBody({ exactIntegers, ...fields }: HttpFields, body: Uint8Array): WholeEvent {
  const { url, client_ip, headers, ...rest } = fields;
  const contentType = (headers as { readonly [name: string]: string })["content-type"];
  const parsed = parseBody(contentType, body, exactIntegers === true);
  const event = { ...rest, headers: headers ?? {}, ...parsed.fields, url: url ?? "", client_ip: client_ip ?? "" };
  return { event, warnings: parsed.warnings };
}

/**
 * The event of `run` for a request. It never has a top-level `timestamp`, `interval_seconds` or `cron`: components
 * recognise timer events by these.
 */
export const httpEvent = (request: EndpointRequest): WholeEvent => addBody(requestFields(request), request.body);

/** The event of a body may be twelve times as long (`\\u0000`, twice), so larger bodies are stored as received. */
const maxJoinedBytes = 4 * 1024;

/**
 * A request as it is stored: its event, or the event without the body and the body. With `exactIntegers`, integers beyond
 * 2^53 in a JSON body become texts.
 */
export function storedRequest(
  request: EndpointRequest,
  exactIntegers = false,
): { readonly event: string; readonly body?: Uint8Array } {
  // The mark is for the body alone: it leaves when the body is joined.
  const fields = { ...requestFields(request), ...(exactIntegers && { exactIntegers }) };
  const apart = { event: JSON.stringify(fields), body: request.body };
  if (request.body.byteLength > maxJoinedBytes) return apart;
  const { event, warnings } = addBody(fields, request.body);
  // The run warns, so it needs the bytes.
  return warnings.length > 0 ? apart : { event: JSON.stringify(event) };
}

/** Path and query of a URL; the text itself if it is none. */
function targetOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? parsed.pathname + parsed.search : url;
}

/** JSON text of the request's head as it was received. */
export function receivedHead({ method, target, url, httpVersion, headers }: EndpointRequest): string {
  const head: ReceivedHead = {
    method,
    target: target ?? targetOf(url),
    ...(httpVersion !== undefined && { httpVersion }),
    headers,
  };
  return JSON.stringify(head);
}

/** A request that was stored apart from its body: JSON text of its whole event, and warnings for the logs of its run. */
export function joinBody(
  stored: string,
  body: Uint8Array,
): { readonly event: string; readonly warnings: readonly string[] } {
  const { event, warnings } = addBody(JSON.parse(stored) as HttpFields, body);
  return { event: JSON.stringify(event), warnings };
}
