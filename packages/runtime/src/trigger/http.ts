import type { EndpointRequest } from "../api.ts";
import type { Json } from "../model.ts";
import { joinRepeated, parseBody } from "./http-body.ts";

/** Headers of which only the first counts when they are repeated; others are joined. */
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

/**
 * The event given to `run` for a request (contract 4.6). It never has a top-level `timestamp`, `interval_seconds` or
 * `cron`, by which components tell a timer from a request.
 */
export async function httpEvent(request: EndpointRequest): Promise<{ [field: string]: Json }> {
  const headers = joinHeaders(request.headers);
  const parsed = await parseBody(headers.get("content-type"), request.body);
  return {
    method: request.method.toUpperCase(),
    path: request.path,
    query: parseQuery(request.search),
    headers: Object.fromEntries(headers),
    ...parsed,
    url: request.url,
    client_ip: request.clientIp,
  };
}
