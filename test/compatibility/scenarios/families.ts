import { type Answer, type Scenario, tick } from "../scenario.ts";
import { boardHook } from "./signing.ts";

const auth = { board: { subdomain: "acme", oauth_access_token: "bt", secret: "bs" } };

const board: Answer = ({ url }, count) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.startsWith("/hooks")) return { body: { id: "h1" } };
  const page = Number(searchParams.get("page"));
  const cards = [1, 2].map((each) => ({
    id: `${page}${each}`,
    title: `Ü ${each}`,
    column: count > 4 ? "done" : "new",
  }));
  return { body: { cards, more: page < 2 } };
};

export const families: readonly Scenario[] = [
  {
    title: "an app with definitions of props is shared: new cards",
    component: "family/new-card.mjs",
    packages: [],
    auth,
    props: { boardId: "b 1", columns: ["new", "done"], limit: 2 },
    steps: [tick, tick],
    upstream: board,
  },
  {
    title: "an app with definitions of props is shared: moved cards",
    component: "family/moved-card.mjs",
    packages: [],
    auth,
    props: { boardId: "b1", limit: 2 },
    steps: [tick, tick, tick],
    upstream: board,
  },
  {
    title: "an app with prop definitions is shared: a refusal is reported",
    component: "family/new-card.mjs",
    packages: [],
    auth,
    props: { boardId: "none", limit: 2 },
    steps: [],
    upstream: () => ({ status: 403, body: { message: "nö" } }),
  },
  {
    title: "an app with definitions of props is shared: a hook",
    component: "family/card-hook.mjs",
    packages: [],
    auth,
    steps: boardHook,
    upstream: board,
  },
  {
    title: "generic pages of a typed module",
    component: "typed/generic.mts",
    packages: [],
    steps: [tick, tick],
    upstream: ({ url }) => {
      const page = Number(new URL(url).searchParams.get("page"));
      return { body: { items: [{ id: page, email: `${page}@example.com` }], next: page < 3 ? page + 1 : null } };
    },
  },
  {
    title: "contacts are read by offsets, the greatest is kept",
    component: "polling/offsets.js",
    packages: [],
    steps: [tick, tick],
    upstream: ({ url }) => {
      const { searchParams } = new URL(url);
      const first = Number(searchParams.get("since")) + Number(searchParams.get("offset")) + 1;
      return { body: { items: [first + 1, first].map((id) => ({ id, name: `N ${id}` })), total: 3 } };
    },
  },
  {
    title: "requests are queued, limited, retried and given up",
    component: "polling/queued.mjs",
    packages: ["p-limit", "p-queue", "p-retry"],
    steps: [tick],
    upstream: ({ url }, count) => {
      if (url.endsWith("/gone")) return { status: 404 };
      return url.endsWith("/flaky") && count < 7 ? { status: 503 } : { body: { asked: url.slice(26) } };
    },
  },
  {
    title: "a busy service is asked again after a while, then given up",
    component: "polling/backed-off.mjs",
    packages: [],
    steps: [tick, tick],
    upstream: (_, count) => {
      if (count === 0) return { failure: "broken" };
      return count === 1 ? { body: { id: "j1" } } : { status: 429, headers: { "retry-after": "1" } };
    },
  },
  {
    title: "a session is kept by cookies",
    component: "polling/session.mjs",
    packages: ["tough-cookie", "normalize-url"],
    headers: ["cookie"],
    steps: [tick, tick],
    upstream: () => ({ headers: { "set-cookie": "sid=s1; Path=/; HttpOnly" }, body: "ok" }),
  },
];
