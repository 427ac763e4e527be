import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const items: Answer = ({ url, method, body }) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.endsWith("/missing")) return { status: 404, body: { message: "nö" } };
  if (method === "POST") return { status: 201, body: { got: body.toString() } };
  const page = Number(searchParams.get("page"));
  return { body: { items: [{ id: `${page}a`, name: `N ${page}` }], next: page < 2 ? page + 1 : null } };
};

const forms: Answer = ({ url, body }) => {
  if (url.endsWith("/lost")) return { failure: "broken" };
  if (url.endsWith("/broken")) return { body: "{half" };
  if (url.endsWith("/bytes")) return { body: Buffer.from([0, 255, 10]) };
  return url.endsWith("/send") ? { body: { got: body.toString() } } : { body: `text ü ${url.slice(-6)}` };
};

const issues: Answer = ({ url, method, body }) => {
  if (url.endsWith("/gone")) return { status: 404, body: { message: "gone" } };
  if (url.endsWith("/broken")) return { status: 500, body: { message: "broken", got: body.toString() } };
  if (method === "POST") return { status: 201, headers: { "content-type": "text/plain" }, body: body.toString() };
  return { headers: { "x-page": "1" }, body: [{ id: 1, title: "ü" }] };
};

export const clients: readonly Scenario[] = [
  {
    title: "got reads pages, posts JSON and reports errors",
    component: "got/pages.mjs",
    packages: ["got"],
    headers: ["user-agent", "accept"],
    steps: [tick, tick],
    upstream: (request, count) => (count === 0 ? { status: 503 } : items(request, count)),
  },
  {
    title: "got 12 runs hooks, sends a form and streams",
    component: "got/hooks.mjs",
    packages: ["got12"],
    headers: ["x-signed"],
    steps: [postJson({ name: "Zoë & co" })],
    upstream: forms,
  },
  {
    title: "superagent sends credentials and forms, and reports errors",
    component: "clients/superagent-issues.mjs",
    packages: ["superagent"],
    headers: ["x-client"],
    steps: [tick],
    upstream: issues,
  },
  {
    title: "ky retries, sends JSON and reports errors",
    component: "clients/ky-tasks.mjs",
    packages: ["ky"],
    headers: ["x-client", "accept"],
    steps: [tick],
    upstream: ({ url, method }, count) => {
      if (count === 0) return { status: 503 };
      if (url.endsWith("/missing")) return { status: 404, body: {} };
      return method === "POST"
        ? { status: 201, headers: { location: "/v1/tasks/9" } }
        : { body: [{ id: 1 }, { id: 2 }] };
    },
  },
  {
    title: "cross-fetch, imported by default",
    component: "clients/cross-fetch-feed.js",
    packages: ["cross-fetch"],
    headers: ["x-one"],
    steps: [tick],
    upstream: ({ method, body }) => (method === "GET" ? { body: { a: "ü" } } : { body: body.toString() }),
  },
  {
    title: "requests through an agent of one's own, and an upload in parts",
    component: "clients/agents.mjs",
    packages: [],
    headers: ["x-two"],
    steps: [tick],
    upstream: ({ url, method, body }) =>
      method === "PUT"
        ? { status: 202, headers: { "x-kind": "upload" }, body }
        : { headers: { "x-kind": "get" }, body: url.slice(-4) },
  },
  {
    title: "requests are aborted in every way, and bodies read once",
    component: "clients/aborted.mjs",
    packages: [],
    steps: [tick],
    upstream: ({ url }) => (url.endsWith("/silent") ? { failure: "silent" } : { body: { ok: true } }),
  },
];
