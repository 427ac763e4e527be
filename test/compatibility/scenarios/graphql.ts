import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const orders: Answer = (_, count) => {
  if (count === 2) return { body: { data: null, errors: [{ message: "Throttled", extensions: { code: "429" } }] } };
  if (count === 3) return { status: 500, headers: { "content-type": "text/plain" }, body: "down" };
  const nodes = [{ id: `o${count}`, total: count + 0.5 }];
  return { body: { data: { orders: { nodes, pageInfo: { endCursor: `c${count}`, hasNextPage: count === 0 } } } } };
};

const issue = {
  id: "i-1",
  title: "Fix ü",
  createdAt: "2026-03-01T00:00:00.000Z",
  url: "https://linear.example.com/i-1",
  labelIds: [],
  reactions: [],
  sharedAccess: { sharedWithUsers: [] },
};

export const withGraphql: readonly Scenario[] = [
  {
    title: "graphql-request reads a connection, and its errors are reported",
    component: "graphql/orders-by-request.mjs",
    packages: ["graphql-request", "graphql"],
    headers: ["x-version", "accept"],
    steps: [tick, tick, tick],
    upstream: orders,
  },
  {
    title: "graphql parses, checks, runs and prints queries",
    component: "graphql/query-checked.mjs",
    packages: ["graphql"],
    steps: [
      postJson({
        query: 'query ($id: ID!) { product(id: $id) { title price(currency: "EUR") } }',
        variables: { id: "p2" },
      }),
      postJson({ query: "{ products { id, nope } }" }),
      postJson({ query: "{ products { id" }),
    ],
    upstream: () => ({ body: [1, 2].map((each) => ({ id: `p${each}`, title: `T${each}`, cents: 199 * each })) }),
  },
  {
    title: "Linear's SDK makes a webhook and reads an issue",
    component: "graphql/linear-issues.mjs",
    packages: ["@linear/sdk"],
    auth: { linear: { api_key: "lin" } },
    steps: [postJson({ data: { id: "i-1" } }), postJson({ data: { id: "gone" } })],
    upstream: ({ body }) => {
      const text = body.toString();
      if (text.includes("webhookCreate"))
        return { body: { data: { webhookCreate: { lastSyncId: 1, success: true, webhook: { id: "wh-1" } } } } };
      if (text.includes("webhookDelete"))
        return { body: { data: { webhookDelete: { success: true, lastSyncId: 2, entityId: "wh-1" } } } };
      if (text.includes("gone"))
        return {
          status: 400,
          body: { errors: [{ message: "Entity not found", extensions: { type: "invalid input" } }] },
        };
      return { body: { data: { issue } } };
    },
  },
  {
    title: "monday's SDK sends variables and reports its errors",
    component: "graphql/monday-items.mjs",
    packages: ["monday-sdk-js"],
    props: { boardId: 5 },
    auth: { monday: { api_key: "mon" } },
    steps: [tick, tick, tick],
    upstream: (_, count) =>
      count === 1
        ? { body: { error_message: "No such board" } }
        : { status: count === 2 ? 429 : 200, body: { data: { items: [{ id: "1", name: "ä" }] } } },
  },
];
