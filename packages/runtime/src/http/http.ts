import type { EndpointRequest } from "../api/api.ts";
import type { Json } from "../model/model.ts";
import { joinRepeated, parseBody } from "./http-body.ts";

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

function parseQuery(search: string): { [name: string]: Json } {
  const query = new Map<string, Json[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return joinRepeated(query);
}

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

async function addBody(fields: HttpFields, body: Uint8Array): Promise<HttpFields> {
  const { url, client_ip, headers, ...rest } = fields;
  const contentType = (headers as { readonly [name: string]: string })["content-type"];
  const parsed = await parseBody(contentType, body);
  return { ...rest, headers: headers ?? {}, ...parsed, url: url ?? "", client_ip: client_ip ?? "" };
}

/**
 * The event of `run` for a request. It never has a top-level `timestamp`, `interval_seconds` or `cron`: components
 * recognise timer events by these.
 */
export const httpEvent = (request: EndpointRequest): Promise<HttpFields> =>
  addBody(requestFields(request), request.body);

/** The event of a body may be twelve times as long (`\\u0000`, twice), so larger bodies are stored as received. */
const mostJoinedBytes = 4 * 1024;

/** A request as it is stored: its event, or the event without the body and the body. */
export async function storedRequest(
  request: EndpointRequest,
): Promise<{ readonly event: string; readonly body?: Uint8Array }> {
  const fields = requestFields(request);
  if (request.body.byteLength > mostJoinedBytes) return { event: JSON.stringify(fields), body: request.body };
  return { event: JSON.stringify(await addBody(fields, request.body)) };
}

/** The whole event of a request that was stored apart from its body. */
export const joinBody = async (event: string, body: Uint8Array): Promise<string> =>
  JSON.stringify(await addBody(JSON.parse(event) as HttpFields, body));
