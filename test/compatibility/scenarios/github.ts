import { createHmac } from "node:crypto";

import { postJson, type Answer, type Scenario, type Step, tick } from "../scenario.ts";

const issue = (id: number): object => ({ id, title: `Issue ${id}`, created_at: `2026-01-0${id}T00:00:00Z` });

const issues: Answer = ({ url }) => {
  const { searchParams, origin, pathname } = new URL(url);
  if (searchParams.get("page") === "2") return { body: [issue(3)] };
  const next = `<${origin}${pathname}?page=2>; rel="next", <${origin}${pathname}?page=2>; rel="last"`;
  return { headers: { link: next }, body: [issue(1), issue(2)] };
};

function delivery(kind: string, id: string, secret: string): Step {
  const body = { owner: "o", commits: [{ id: "c", message: "✓" }] };
  const signature = `sha256=${createHmac("sha256", secret).update(JSON.stringify(body)).digest("hex")}`;
  return postJson(body, { "x-github-event": kind, "x-github-delivery": id, "x-hub-signature-256": signature });
}

const auth = { github: { oauth_access_token: "gh-t" } };
const packages = ["@octokit/core", "@octokit/plugin-paginate-rest"];
const secret = "0".repeat(32);

export const withOctokit: readonly Scenario[] = [
  {
    title: "issues are read by links from page to page",
    component: "github/new-issue.mjs",
    packages,
    auth,
    props: { repo: "o/r" },
    headers: ["accept"],
    steps: [tick, tick],
    upstream: issues,
  },
  {
    title: "a repository's hook is made, verified and removed",
    component: "github/repository-event.mjs",
    packages,
    auth,
    props: { repoFullname: "o/r" },
    headers: ["accept"],
    steps: [delivery("ping", "d0", secret), delivery("push", "d1", secret), delivery("push", "d2", "another")],
    upstream: ({ url, method }) => {
      if (url.endsWith("/graphql")) return { body: { data: { repository: { id: "R_1" } } } };
      return method === "DELETE" ? { status: 204 } : { status: 201, body: { id: 77 } };
    },
  },
  {
    title: "octokit reports what GitHub refused",
    component: "github/failing.mjs",
    packages,
    auth,
    steps: [tick],
    upstream: ({ url }, count) => {
      if (url.endsWith("/graphql"))
        return { body: { data: null, errors: [{ message: "not yours", type: "FORBIDDEN" }] } };
      if (count === 0)
        return { status: 404, body: { message: "Not Found", documentation_url: "https://docs.example.com" } };
      return { status: 403, headers: { "x-ratelimit-remaining": "0" }, body: { message: "slow down" } };
    },
  },
];
