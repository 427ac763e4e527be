import { createHmac } from "node:crypto";

import { postJson, type Answer, type Scenario, type Step, tick } from "../scenario.ts";

const ticket = (id: number): object => ({ id, subject: `Ticket ${id} äöü`, at: id });

function ticketEvent(type: string, secret: string): Step {
  const body = { type, at: "2026-02-03T04:05:06Z", ticket: { id: 9, subject: "Ünïcode" } };
  const signature = createHmac("sha1", secret).update(JSON.stringify(body)).digest("base64");
  return postJson(body, { "x-tickets-signature": signature });
}

const tickets: Answer = ({ url, method }, count) => {
  const { pathname, searchParams } = new URL(url);
  if (pathname.endsWith("/webhooks")) return { status: 201, body: { id: "hook-7", secret: "whs" } };
  if (method === "DELETE") return { status: 204 };
  if (count === 4) return { status: 401, body: { error: "expired" } };
  if (count === 5) return { status: 500, body: "broken" };
  const newest = 3 + count;
  const offset = Number(searchParams.get("offset"));
  return {
    body: { total: newest, tickets: [newest - offset, newest - offset - 1].filter((id) => id > 0).map(ticket) },
  };
};

const auth = { tickets: { domain: "acme", oauth_access_token: "o-t" } };

export const withPlatform: readonly Scenario[] = [
  {
    title: "a webhook of three files registers, verifies, answers and takes itself down",
    component: "tickets/ticket-event.mjs",
    packages: ["@pipedream/platform"],
    props: { projectId: 12 },
    auth,
    headers: ["x-undefined"],
    steps: [
      ticketEvent("ticket.created", "whs"),
      ticketEvent("ticket.created", "whs"),
      ticketEvent("ticket.closed", "whs"),
      ticketEvent("ticket.closed", "another"),
    ],
    upstream: tickets,
  },
  {
    title: "a webhook that cannot register fails with what the API said",
    component: "tickets/ticket-event.mjs",
    packages: ["@pipedream/platform"],
    props: { projectId: 12 },
    auth,
    steps: [],
    upstream: () => ({ status: 401, body: { error: "no such token" } }),
  },
  {
    title: "tickets are polled by an app method given as a value, through errors",
    component: "tickets/new-ticket.mjs",
    packages: ["@pipedream/platform"],
    auth,
    steps: [tick, tick, tick, tick],
    upstream: tickets,
  },
  {
    title: "the platform's axios reports errors, exports results and removes undefined values",
    component: "platform/errors-and-exports.mjs",
    packages: ["@pipedream/platform"],
    steps: [postJson({ name: "Ümit" })],
    upstream: ({ method }, count) =>
      count === 0 ? { status: 422, body: { errors: ["no"] } } : { body: { method, count } },
  },
  {
    title: "OAuth 1 requests are signed by a service",
    component: "platform/oauth1-signed.mjs",
    packages: ["@pipedream/platform"],
    auth: {
      microblog: {
        oauth_access_token: "a",
        oauth_refresh_token: "r",
        oauth_signer_uri: "https://signer.example.com/sign",
      },
    },
    steps: [tick],
    upstream: ({ url, body }) => {
      if (url.includes("signer.")) return { body: `OAuth signature="${body.length}"` };
      return { body: { statuses: [{ id_str: "11", text: "one" }] } };
    },
  },
  {
    title: "a file behind a URL is read as a stream",
    component: "platform/file-stream.mjs",
    packages: ["@pipedream/platform"],
    steps: [postJson({ url: "https://files.example.com/report%201.csv" })],
    upstream: ({ url }) =>
      url.endsWith(".missing")
        ? { status: 404, body: "gone" }
        : { headers: { "content-type": "text/csv", "content-length": "9" }, body: "a,b\n1,ü\n" },
  },
  {
    title: "a typed source with its typed app keeps only what is new",
    component: "typed/invoice-paid.ts",
    packages: ["@pipedream/platform", "@pipedream/types"],
    props: { minimum: 5 },
    auth: { invoices: { user: "u", api_key: "k" } },
    steps: [tick, tick],
    upstream: (_, count) => ({
      body: {
        invoices: [1, 2].map((each) => ({
          id: `in_${each}`,
          paid_at: `2026-01-0${count + each}T00:00:00Z`,
          lines: [{ cents: 499 * each }, { cents: 1 }],
        })),
      },
    }),
  },
];
