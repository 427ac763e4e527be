import { hasLongHost } from "./host-length.ts";
import type { GuestRequest } from "../sandbox/contract.ts";

type Headers = GuestRequest["headers"];

/** One request on the way through redirects. The URL carries no credentials. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** Headers that describe the connection or the framing: ours to set, as in a browser. */
const ownHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const bodyHeaders = new Set(["content-encoding", "content-language", "content-location", "content-type"]);
const credentialHeaders = new Set(["authorization", "cookie"]);
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
const usualMethods = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** What a request of `fetch` says unless the component does. */
const defaultHeaders: Headers = [
  ["accept", "*/*"],
  ["accept-encoding", "gzip, deflate, br"],
  ["user-agent", "x-runtime"],
];

const without = (headers: Headers, names: ReadonlySet<string>): Headers =>
  headers.filter(([name]) => !names.has(name.toLowerCase()));

const has = (headers: Headers, name: string): boolean => headers.some(([given]) => given.toLowerCase() === name);

function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The first request: our headers where the component gave none, and credentials of the URL as a header. */
export function firstHop(request: GuestRequest): Hop | { readonly problem: string } {
  if (hasLongHost(request.url) || !URL.canParse(request.url)) return { problem: "the URL is not valid" };
  const upper = request.method.toUpperCase();
  if (!/^[\w\-!#$%&'*+.^`|~]{1,64}$/.test(request.method) || forbiddenMethods.has(upper))
    return { problem: "the method is not allowed" };
  const url = new URL(request.url);
  const headers = [...without(request.headers, ownHeaders)];
  if (request.verbatim !== true) headers.push(...defaultHeaders.filter(([name]) => !has(headers, name)));
  if ((url.username !== "" || url.password !== "") && !has(headers, "authorization")) {
    const credentials = Buffer.from(`${unescape(url.username)}:${unescape(url.password)}`).toString("base64");
    headers.push(["authorization", `Basic ${credentials}`]);
  }
  url.username = "";
  url.password = "";
  return { url, method: usualMethods.has(upper) ? upper : request.method, headers, body: request.body };
}

/** True for statuses whose `location` a client follows. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** The request after a redirect, by the rules of fetch; credentials stay with their origin. */
export function nextHop(hop: Hop, status: number, location: string): Hop | { readonly problem: string } {
  if (hasLongHost(location) || !URL.canParse(location, hop.url.href))
    return { problem: "the redirect has no valid location" };
  const url = new URL(location, hop.url);
  url.username = "";
  url.password = "";
  if (url.hash === "") url.hash = hop.url.hash;
  const headers = url.origin === hop.url.origin ? hop.headers : without(hop.headers, credentialHeaders);
  const becomesGet =
    (status === 303 && hop.method !== "GET" && hop.method !== "HEAD") ||
    ((status === 301 || status === 302) && hop.method === "POST");
  if (becomesGet) return { url, method: "GET", headers: without(headers, bodyHeaders), body: undefined };
  return { ...hop, url, headers };
}
