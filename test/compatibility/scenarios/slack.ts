import { type Answer, type Scenario, tick } from "../scenario.ts";

const slack: Answer = ({ url, body }) => {
  const given = new URLSearchParams(body.toString());
  if (url.endsWith("/users.info")) return { body: { ok: true, user: { name: `name of ${given.get("user")}` } } };
  if (url.endsWith("/chat.postMessage")) return { body: { ok: true, ts: "9.0" } };
  if (url.endsWith("/chat.delete")) return { body: { ok: false, error: "message_not_found" } };
  const isSecond = given.get("cursor") === "c2";
  const messages = [{ ts: isSecond ? "2.5" : "1.5", user: "U1", text: "hällo" }];
  return { body: { ok: true, messages, response_metadata: { next_cursor: isSecond ? "" : "c2" } } };
};

const auth = { slack: { oauth_access_token: "xoxb-1" } };

export const withSlack: readonly Scenario[] = [
  {
    title: "Slack's client reads pages, posts blocks and reports errors",
    component: "slack/messages.mjs",
    packages: ["@slack/web-api"],
    auth,
    steps: [tick],
    upstream: slack,
  },
  {
    title: "Slack's client gives up on a rate limit",
    component: "slack/messages.mjs",
    packages: ["@slack/web-api"],
    auth,
    steps: [tick],
    upstream: (request, count) =>
      count === 1 ? { status: 429, headers: { "retry-after": "30" } } : slack(request, count),
  },
];
