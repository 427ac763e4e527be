import { connectionHeaders, hasLongHost } from "@x/model";
import type { GuestRequest } from "@x/sandbox";

type Headers = GuestRequest["headers"];

/** One request of a chain of redirects. The URL has no credentials. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
}

/** Headers that only the runtime sets, as in a browser. */
const runtimeHeaders: ReadonlySet<string> = new Set([...connectionHeaders, "expect", "host", "http2-settings"]);

const bodyHeaders = new Set(["content-encoding", "content-language", "content-location", "content-type"]);
const credentialHeaders = new Set(["authorization", "cookie"]);
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);
const usualMethods = new Set(["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"]);

/** Headers that `fetch` adds unless the component sets them. */
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

/** Makes the first request: adds default headers and moves the credentials of the URL into a header. */
export function firstHop(request: GuestRequest): Hop | { readonly problem: string } {
  if (hasLongHost(request.url) || !URL.canParse(request.url)) return { problem: "the URL is not valid" };
  const upper = request.method.toUpperCase();
  if (!/^[\w\-!#$%&'*+.^`|~]{1,64}$/.test(request.method) || forbiddenMethods.has(upper))
    return { problem: "the method is not allowed" };
  const url = new URL(request.url);
  const headers = [...without(request.headers, runtimeHeaders)];
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

/** Makes the request after a redirect, by the rules of fetch. Credentials are not sent to another origin. */
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
