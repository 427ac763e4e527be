import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { type Answer, type Scenario, tick } from "../scenario.ts";

const pathOf = (url: string): string => new URL(url).pathname;

const compressed = {
  gzip: [gzipSync('{"kind":"gzip"}'), "gzip"],
  brotli: [brotliCompressSync('{"kind":"brotli"}'), "br"],
  deflate: [deflateSync('{"kind":"deflate"}'), "deflate"],
  "not-gzip": ["plain", "gzip"],
} as const;

const answers: Answer = ({ url }) => {
  const name = pathOf(url).slice(1) as keyof typeof compressed;
  if (Object.hasOwn(compressed, name)) {
    const [body, encoding] = compressed[name];
    return { headers: { "content-type": "application/json", "content-encoding": encoding }, body };
  }
  if (url.endsWith("/bytes")) return { body: Buffer.from([0, 1, 127, 128, 255]) };
  if (url.endsWith("/bom")) return { body: '\uFEFF{"a":1}' };
  if (url.endsWith("/empty")) return { status: 204 };
  if (url.endsWith("/headers")) return { headers: { "set-cookie": "a=1; Path=/", "x-twice": "1, 2" }, body: "text" };
  return { body: { url } };
};

const rows = "id;name\n1;ä\n";
const streams: Answer = ({ url, body }) => {
  const type = { "content-type": "text/csv" };
  switch (pathOf(url)) {
    case "/rows":
      return { headers: type, body: rows };
    case "/large":
      return { headers: type, body: "1;ä\n".repeat(50_000) };
    case "/archive.gz":
      return { body: gzipSync(rows) };
    case "/compressed":
      return { headers: { ...type, "content-encoding": "gzip" }, body: gzipSync(rows) };
    case "/upload":
      return { status: 201, body: { bytes: body.length } };
    default:
      return { status: 404, body: "no such file" };
  }
};

const redirects: Answer = ({ url, method }) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname === "/loop") return { status: 302, headers: { location: "/loop" } };
  if (pathname === "/bare") return { status: 302, body: "where?" };
  const to = searchParams.get("to");
  if (to !== null) return { status: Number(pathname.slice(1)), headers: { location: to } };
  return { body: { url, method } };
};

const settings: Answer = ({ url, method }) => {
  const { pathname } = new URL(url);
  const [status] = /\d{3}$/.exec(pathname) ?? [];
  if (status !== undefined) return { status: Number(status), body: { status } };
  return { body: pathname.endsWith("/long") ? "x".repeat(1000) : { url, method } };
};

const failures: Answer = ({ url }) => {
  if (url.endsWith("/broken")) return { failure: "broken" };
  if (url.endsWith("/cut")) return { failure: "cut", headers: { "content-length": "100" }, body: "half of i" };
  return url.endsWith("/silent") ? { failure: "silent" } : { body: "fine" };
};

const clients: Answer = ({ url, method, headers }) => {
  if (url.includes("/404")) return { status: 404, body: { message: "none" } };
  if (url.includes("/401") && headers["x-own"] === "1") return { status: 401 };
  return { body: { url, method } };
};

const topics: { readonly [topic: string]: { readonly title: string; readonly upstream?: Answer } } = {
  answers: { title: "reads answers of every kind", upstream: answers },
  bodies: {
    title: "sends bodies of every kind",
    upstream: ({ method, body }) => ({ body: { method, bytes: body.length } }),
  },
  clients: { title: "makes clients with interceptors", upstream: clients },
  failures: { title: "fails with its codes when a connection does", upstream: failures },
  redirects: { title: "follows, limits and refuses redirects", upstream: redirects },
  settings: { title: "obeys every setting", upstream: settings },
  streams: { title: "gives streams that go anywhere", upstream: streams },
  unreachable: { title: "and other clients say why a host cannot be reached" },
};

const versions = {
  newest: ["axios", "axios"],
  v17: ["axios__17", "axios 1.7"],
  v14: ["axios__14", "axios 1.4"],
  v27: ["axios__27", "axios 0.27"],
  v21: ["axios__21", "axios 0.21"],
  v19: ["axios__19", "axios 0.19"],
} as const;

/** Everything that components ask of axios, in the versions that they use. */
export const axiosInNode: readonly Scenario[] = Object.entries(versions).flatMap(([file, [name, shown]]) =>
  Object.entries(topics).map(([topic, { title, upstream }]): Scenario => ({
    title: `${shown} ${title}`,
    component: `axios-node/${file}.mjs`,
    packages: [name, "form-data", "node-fetch"],
    props: { topic },
    steps: [tick],
    headers: [
      "user-agent",
      "accept",
      "cookie",
      "x-own",
      "x-a",
      "x-b",
      "x-c",
      "x-d",
      "x-e",
      "x-common",
      "x-post",
      "accept-encoding",
    ],
    ...(upstream ? { upstream } : { direct: true }),
  })),
);
