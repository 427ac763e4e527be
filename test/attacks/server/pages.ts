import type { Attack } from "../attack.ts";

/** Requests that a page of another origin can make the user's browser send, without the unknown key. */
export interface Page extends Attack {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected status; default: the request is refused. */
  readonly status: number;
}

const evil = "https://evil.example";
const code = JSON.stringify({ component_code: "export default { name: 'x', version: '1', run() {} }" });
const simple = { origin: evil, "content-type": "text/plain" };

type Row = readonly [id: string, promise: string, page: Omit<Page, keyof Attack>];
const rows: readonly Row[] = [
  ["inspector-rebound", "inspector-own", { method: "GET", path: "/", headers: { host: "evil.example" }, status: 403 }],
  [
    "inspector-rebound-subdomain",
    "inspector-own",
    { method: "GET", path: "/", headers: { host: "localhost.evil.example:80" }, status: 403 },
  ],
  ...(["https://evil.example", "null", "http://localhost:1", "http://127.0.0.1"] as const).map((origin): Row => [
    `sign-in-from-${origin}`,
    "inspector-own",
    {
      method: "POST",
      path: "/v1/sessions",
      headers: { origin, "content-type": "application/json" },
      body: '{"api_key":"KEY"}',
      status: 403,
    },
  ]),
  [
    "sign-in-cross-site",
    "inspector-own",
    {
      method: "POST",
      path: "/v1/sessions",
      headers: { "sec-fetch-site": "cross-site", "content-type": "application/json" },
      body: '{"api_key":"KEY"}',
      status: 403,
    },
  ],
  [
    "sign-in-rebound",
    "inspector-own",
    {
      method: "POST",
      path: "/v1/sessions",
      headers: { host: "evil.example", "content-type": "application/json" },
      body: '{"api_key":"KEY"}',
      status: 403,
    },
  ],
  [
    "sign-in-by-form",
    "inspector-own",
    {
      method: "POST",
      path: "/v1/sessions",
      headers: { "content-type": "text/plain" },
      body: '{"api_key":"KEY"}',
      status: 415,
    },
  ],
  [
    "forged-session",
    "inspector-own",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer xs_forged" }, status: 401 },
  ],
  [
    "form-post",
    "key-required",
    {
      method: "POST",
      path: "/v1/sources",
      headers: { origin: evil, "content-type": "application/x-www-form-urlencoded" },
      body: "component_code=x",
      status: 401,
    },
  ],
  ["metrics", "key-required", { method: "GET", path: "/metrics", headers: { origin: evil }, status: 401 }],
  ["text-post", "key-required", { method: "POST", path: "/v1/sources", headers: simple, body: code, status: 401 }],
  [
    "json-post",
    "key-required",
    {
      method: "POST",
      path: "/v1/sources",
      headers: { origin: evil, "content-type": "application/json" },
      body: code,
      status: 401,
    },
  ],
  [
    "multipart-post",
    "key-required",
    {
      method: "POST",
      path: "/v1/sources",
      headers: { origin: evil, "content-type": "multipart/form-data; boundary=x" },
      body: "--x--",
      status: 401,
    },
  ],
  [
    "null-origin",
    "key-required",
    { method: "POST", path: "/v1/sources", headers: { ...simple, origin: "null" }, body: code, status: 401 },
  ],
  [
    "own-origin",
    "key-required",
    {
      method: "POST",
      path: "/v1/sources",
      headers: { ...simple, origin: "http://127.0.0.1" },
      body: code,
      status: 401,
    },
  ],
  [
    "cookie",
    "key-required",
    {
      method: "GET",
      path: "/v1/users/me",
      headers: { origin: evil, cookie: "key=KEY; authorization=Bearer KEY" },
      status: 401,
    },
  ],
  [
    "basic",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Basic S0VZ" }, status: 401 },
  ],
  [
    "key-in-query",
    "key-required",
    {
      method: "GET",
      path: "/v1/users/me?api_key=KEY&authorization=Bearer%20KEY&access_token=KEY",
      headers: {},
      status: 401,
    },
  ],
  [
    "key-in-other-header",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { "x-api-key": "KEY" }, status: 401 },
  ],
  [
    "empty-key",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer " }, status: 401 },
  ],
  [
    "undefined-key",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer undefined" }, status: 401 },
  ],
  [
    "key-with-more",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer KEY KEY" }, status: 401 },
  ],
  [
    "key-prefix",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer KE" }, status: 401 },
  ],
  [
    "two-keys",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { authorization: "Bearer x, Bearer KEY" }, status: 401 },
  ],
  [
    "method-override",
    "key-required",
    {
      method: "POST",
      path: "/v1/users/me?_method=GET",
      headers: { "x-http-method-override": "GET", origin: evil },
      status: 405,
    },
  ],
  [
    "delete",
    "key-required",
    { method: "DELETE", path: "/v1/sources/dc_0000000000", headers: { origin: evil }, status: 401 },
  ],
  [
    "clock",
    "key-required",
    { method: "POST", path: "/v1/clock/advance", headers: { ...simple }, body: "{}", status: 404 },
  ],
  [
    "event-stream",
    "key-required",
    {
      method: "GET",
      path: "/v1/sources/dc_0000000000/sse",
      headers: { origin: evil, accept: "text/event-stream" },
      status: 401,
    },
  ],
  [
    "rebound-host",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { host: "rebound.example" }, status: 401 },
  ],
  [
    "rebound-post",
    "key-required",
    {
      method: "POST",
      path: "/v1/sources",
      headers: {
        host: "rebound.example:7777",
        origin: "http://rebound.example:7777",
        "content-type": "application/json",
      },
      body: code,
      status: 401,
    },
  ],
  [
    "forwarded",
    "key-required",
    {
      method: "GET",
      path: "/v1/users/me",
      headers: { "x-forwarded-for": "127.0.0.1", "x-forwarded-host": "localhost", forwarded: "for=127.0.0.1" },
      status: 401,
    },
  ],
  [
    "endpoint-host-of-nobody",
    "key-required",
    { method: "GET", path: "/v1/users/me", headers: { host: `${"a".repeat(26)}.localhost` }, status: 404 },
  ],
  [
    "preflight",
    "origins-apart",
    {
      method: "OPTIONS",
      path: "/v1/sources",
      headers: {
        origin: evil,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization",
      },
      status: 405,
    },
  ],
  [
    "preflight-private-network",
    "origins-apart",
    {
      method: "OPTIONS",
      path: "/v1/sources",
      headers: {
        origin: evil,
        "access-control-request-method": "POST",
        "access-control-request-private-network": "true",
      },
      status: 405,
    },
  ],
  [
    "preflight-null",
    "origins-apart",
    {
      method: "OPTIONS",
      path: "/v1/users/me",
      headers: { origin: "null", "access-control-request-method": "GET" },
      status: 405,
    },
  ],
  [
    "read-with-key",
    "origins-apart",
    { method: "GET", path: "/v1/users/me", headers: { origin: evil, authorization: "Bearer KEY" }, status: 200 },
  ],
  ["read-error", "origins-apart", { method: "GET", path: "/v1/none", headers: { origin: evil }, status: 404 }],
  [
    "read-openapi",
    "origins-apart",
    { method: "GET", path: "/v1/openapi.json", headers: { origin: evil }, status: 200 },
  ],
  ["read-health", "origins-apart", { method: "GET", path: "/healthz", headers: { origin: evil }, status: 200 }],
  [
    "frame-docs",
    "origins-apart",
    { method: "GET", path: "/docs", headers: { origin: evil, "sec-fetch-dest": "iframe" }, status: 200 },
  ],
];

export const pages: readonly Page[] = rows.map(([id, promise, page]) => ({
  id: `page-${id}`,
  class: "pages",
  promise,
  ...page,
}));
