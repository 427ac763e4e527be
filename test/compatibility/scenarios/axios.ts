import { gzipSync } from "node:zlib";

import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const contact = (id: number): object => ({
  id,
  name: `N ${id}`,
  created: `2026-01-0${id}T00:00:00Z`,
  changed: id * 10,
});

const contactPages: Answer = ({ url }) => {
  const { searchParams } = new URL(url);
  const first = searchParams.get("since") === "0" ? 1 : 3;
  const items = [contact(first), contact(first + 1), contact(first + 2)];
  if (searchParams.get("order") === "desc") items.reverse();
  return { body: { items: searchParams.get("page") === "1" ? items.slice(0, 2) : items.slice(2), pages: 2 } };
};

const badAnswers: Answer = ({ url }) => {
  if (url.endsWith("/malformed")) return { headers: { "content-type": "application/json" }, body: '{"half": ' };
  if (url.endsWith("/empty")) return { status: 204 };
  if (url.endsWith("/long")) return { body: { text: "x".repeat(100) } };
  return { status: Number(url.slice(-3)), body: { message: `as asked: ${url.slice(-3)}` } };
};

const redirects: Answer = ({ url, method }) => {
  if (url.includes("old.")) return { status: 302, headers: { location: "https://new.example.com/moved?from=old" } };
  if (url.includes("/moved")) return { status: 307, headers: { location: "/there" } };
  return { body: { id: `${method} ${url}` } };
};

const lost: Answer = ({ url }, count) => {
  if (url.endsWith("/silent")) return { failure: "silent" };
  return count < 2 ? { failure: "broken" } : { body: { ok: true } };
};

export const withAxios: readonly Scenario[] = [
  {
    title: "axios writes query parameters",
    component: "axios/query-parameters.mjs",
    packages: ["axios"],
    props: { tags: ["a b", "c,d"] },
    headers: ["x-client", "accept"],
    steps: [tick, tick],
    upstream: (_, count) => ({
      headers: { "x-page": "1" },
      body: { items: [0, 1].map((each) => ({ id: `i${count}${each}`, name: "ü", at: `2026-01-0${count + 1}` })) },
    }),
  },
  {
    title: "an app of three files reads pages with interceptors of axios",
    component: "contacts/new-contact.mjs",
    packages: ["axios"],
    props: { listId: "l 1" },
    auth: { contacts: { region: "eu", api_key: "k-1" } },
    headers: ["x-api-key", "x-trace"],
    steps: [tick, tick],
    upstream: contactPages,
  },
  {
    title: "a deleted list is empty, and other errors of axios are reported",
    component: "contacts/changed-contact.mjs",
    packages: ["axios"],
    props: { listId: "l2" },
    auth: { contacts: { region: "us", api_key: "k-2" } },
    headers: ["x-api-key"],
    steps: [tick, tick, tick],
    upstream: (request, count) => {
      if (count === 0) return { status: 404, body: { message: "no such list" } };
      if (count === 1) return { status: 401, body: { message: "who are you?" } };
      return contactPages(request, count);
    },
  },
  {
    title: "a busy API is asked again by an interceptor of axios",
    component: "axios/retried.mjs",
    packages: ["axios"],
    steps: [tick, tick],
    upstream: (_, count) =>
      count < 2 || count > 2
        ? { status: count % 2 ? 503 : 429, headers: { "retry-after": "1" } }
        : { body: [{ id: "r", at: 7 }] },
  },
  {
    title: "axios distinguishes bad answers",
    component: "axios/error-answers.mjs",
    packages: ["axios"],
    steps: [tick],
    upstream: badAnswers,
  },
  {
    title: "axios refuses an address that is none",
    component: "axios/bad-address.mjs",
    packages: ["axios"],
    steps: [postJson({ url: "::no address" }), postJson({ url: "/without/host" })],
  },
  {
    title: "a broken connection of axios is tried again",
    component: "axios/lost-connections.mjs",
    packages: ["axios"],
    steps: [tick],
    upstream: lost,
  },
  {
    title: "axios gives codes to lost connections",
    component: "axios/lost-codes.mjs",
    packages: ["axios"],
    steps: [tick],
    upstream: lost,
  },
  {
    title: "axios sends forms, files, bytes and credentials",
    component: "axios/forms.mjs",
    packages: ["axios"],
    props: { user: "u:ü", password: "p@ss" },
    headers: ["x-kind"],
    steps: [postJson({ name: "Zoë & co", note: "1+1=2" })],
    upstream: ({ url, method }) => {
      if (url.endsWith("/token")) return { body: { token_type: "Bearer", access_token: "t-1" } };
      return method === "HEAD" ? { status: 200 } : { status: 201, body: { url, method } };
    },
  },
  {
    title: "axios gives text, bytes and a stream",
    component: "axios/response-types.mjs",
    packages: ["axios"],
    steps: [postJson({})],
    upstream: () => ({
      headers: { "content-type": "text/csv", "content-encoding": "gzip" },
      body: gzipSync(`id;name\n${"1;ä\n".repeat(20_000)}`),
    }),
  },
  {
    title: "axios follows redirects and leaves credentials behind",
    component: "axios/redirected.mjs",
    packages: ["axios"],
    steps: [tick],
    upstream: redirects,
  },
];
