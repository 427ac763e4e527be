import { createHmac } from "node:crypto";

import { postJson, postText, type Answer, type Scenario, tick } from "../scenario.ts";

function token(claims: object, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `Bearer ${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const claims = { sub: "ü", aud: "compat", exp: 1_767_226_000 };

const bytes = Buffer.from([0, 255, 128, 10, 13, 65]);

const nodeFetch: Answer = ({ url }) => {
  if (url.endsWith("/bytes")) return { headers: { "content-type": "application/octet-stream" }, body: bytes };
  if (url.endsWith("/malformed")) return { headers: { "content-type": "application/json" }, body: "<html>" };
  if (url.endsWith("/missing")) return { status: 404, body: "nothing ü" };
  return { body: { url } };
};

const limited: Answer = ({ url }, count) => {
  if (url.endsWith("/items")) return { body: [3, 1, 2] };
  if (url.endsWith("/gone")) return { status: 410 };
  return count === 2 ? { status: 429 } : { body: { id: Number(url.at(-1)) } };
};

export const withLibraries: readonly Scenario[] = [
  {
    title: "a file is sent on by form-data and axios",
    component: "libraries/form-data-upload.mjs",
    packages: ["form-data", "axios"],
    steps: [postJson({ url: "https://files.example.com/a%20b.bin" })],
    upstream: ({ method }) =>
      method === "GET" ? { headers: { "content-type": "image/png" }, body: bytes } : { body: { id: `by ${method}` } },
  },
  {
    title: "node-fetch reads JSON, text, bytes and streams",
    component: "libraries/node-fetch-client.mjs",
    packages: ["node-fetch"],
    headers: ["accept", "x-one"],
    steps: [tick],
    upstream: nodeFetch,
  },
  {
    title: "isomorphic-fetch asks for what changed",
    component: "libraries/isomorphic-fetch-client.mjs",
    packages: ["isomorphic-fetch"],
    headers: ["if-none-match"],
    steps: [tick, tick, tick],
    upstream: (_, count) => {
      if (count === 0) return { headers: { etag: '"v1"' }, body: [{ id: "a" }, { id: "b" }] };
      return count === 1
        ? { status: 202 }
        : { status: count === 2 ? 304 : 401, ...(count > 2 && { body: { message: "no" } }) };
    },
  },
  {
    title: "requests are signed by OAuth 1.0a",
    component: "libraries/oauth1-requests.mjs",
    packages: ["oauth-1.0a", "@pipedream/platform"],
    auth: { board: { consumer_key: "ck", consumer_secret: "cs", oauth_access_token: "at", oauth_token_secret: "ts" } },
    steps: [tick],
    upstream: ({ method }) => ({ body: method === "GET" ? [{ id: "c1", name: "ö" }] : {} }),
  },
  {
    title: "JSON Web Tokens are verified, signed and traded",
    component: "libraries/token-from-jwt.mjs",
    packages: ["jsonwebtoken", "axios"],
    props: { secret: "jwt-s" },
    steps: [
      postJson({ n: 1 }, { authorization: token(claims, "jwt-s") }),
      postJson({ n: 2 }, { authorization: token(claims, "another") }),
      postJson({ n: 3 }, { authorization: token({ ...claims, exp: 1_767_225_600 }, "jwt-s") }),
      postJson({ n: 4 }),
    ],
    upstream: () => ({ body: { access_token: "traded" } }),
  },
  {
    title: "async-retry tries again with axios, and bails",
    component: "libraries/retried-calls.mjs",
    packages: ["async-retry", "axios"],
    steps: [tick, tick, tick],
    upstream: (_, count) => {
      if (count === 2) return { body: [{ id: "r1" }] };
      return { status: count === 3 ? 404 : 500 + (count % 2) * 3 };
    },
  },
  {
    title: "bottleneck limits requests and repeats one",
    component: "libraries/limited-requests.mjs",
    packages: ["bottleneck"],
    steps: [tick],
    upstream: limited,
  },
  {
    title: "qs writes queries and forms, uuid makes ids of them",
    component: "libraries/serialized-queries.mjs",
    packages: ["qs", "axios", "uuid"],
    headers: ["x-request"],
    steps: [
      postJson({ a: { b: [1, "ü &"] }, empty: [], date: "2026-01-01T00:00:00.000Z" }),
      postText("a[b][]=1&a[b][]=%C3%BC&c=d+e&f.g=1", "application/x-www-form-urlencoded"),
    ],
    upstream: ({ url }) => ({ body: [{ at: url.length, name: "é" }] }),
  },
];
