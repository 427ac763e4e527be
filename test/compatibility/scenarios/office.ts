import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const notion: Answer = ({ url, body }) => {
  if (url.includes("/pages/"))
    return { status: 404, body: { object: "error", status: 404, code: "object_not_found", message: "No ü" } };
  if (url.includes("/users"))
    return { body: { object: "list", results: [{ object: "user", name: "Zoë" }], has_more: false, next_cursor: null } };
  const isSecond = body.toString().includes("cur2");
  const id = isSecond ? "p2" : "p1";
  const properties = { Name: { title: [{ plain_text: id }, { plain_text: " ✓" }] } };
  const results = [{ object: "page", id, properties, last_edited_time: "2026-01-01T00:00:00.000Z" }];
  return { body: { object: "list", results, has_more: !isSecond, next_cursor: isSecond ? null : "cur2" } };
};

const airtable: Answer = ({ url, method }) => {
  if (url.includes("rec404")) return { status: 404, body: { error: "NOT_FOUND" } };
  if (method === "POST") return { body: { records: [{ id: "rec9", fields: { Name: "ö" } }] } };
  const isSecond = url.includes("offset=o2");
  const record = { id: isSecond ? "rec2" : "rec1", fields: { Name: "N" }, createdTime: "2026-01-01T00:00:00.000Z" };
  return { body: { records: [record], ...(!isSecond && { offset: "o2" }) } };
};

const webflow: Answer = ({ url, method }) => {
  if (url.includes("/missing")) return { status: 404, body: { message: "Site not found", code: "resource_not_found" } };
  if (url.includes("/webhooks"))
    return method === "DELETE"
      ? { status: 204 }
      : { body: { id: "wh1", triggerType: "form_submission", createdOn: "2026-01-01T00:00:00.000Z" } };
  const item = { id: "i1", createdOn: "2026-01-01T00:00:00.000Z", fieldData: { name: "Ü", slug: "u" } };
  return { body: { items: [item], pagination: { limit: 2, offset: 4, total: 5 } } };
};

const graph: Answer = ({ url, method }) => {
  if (url.includes("/nothing")) return { status: 404, body: { error: { code: "ResourceNotFound", message: "No" } } };
  if (url.includes("/subscriptions"))
    return method === "DELETE" ? { status: 204 } : { status: 201, body: { id: "sub-1" } };
  if (url.includes("skip=2")) return { body: { value: [{ id: "m3", subject: "three" }] } };
  const value = [1, 2].map((each) => ({ id: `m${each}`, subject: `Ü ${each}` }));
  return { body: { value, "@odata.nextLink": "https://graph.microsoft.com/v1.0/me/messages?$skip=2" } };
};

const onfleet: Answer = ({ url, method }) => {
  if (url.endsWith("/webhooks") && method === "POST") return { body: { id: "wh1" } };
  if (method === "DELETE") return { body: 200 };
  if (url.includes("/missing"))
    return {
      status: 404,
      body: { code: "ResourceNotFound", message: { error: 1900, message: "Gone", cause: "deleted", request: "r1" } },
    };
  return { body: { tasks: [{ id: "t1", notes: "Tür" }] } };
};

export const withOffice: readonly Scenario[] = [
  {
    title: "Notion's pages are iterated, and a missing one is reported",
    component: "cms/notion-pages.mjs",
    packages: ["@notionhq/client"],
    props: { dataSourceId: "ds1" },
    auth: { notion: { oauth_access_token: "nt" } },
    headers: ["notion-version"],
    steps: [tick],
    upstream: notion,
  },
  {
    title: "Notion's client gives up on a rate limit",
    component: "cms/notion-pages.mjs",
    packages: ["@notionhq/client"],
    props: { dataSourceId: "ds1" },
    auth: { notion: { oauth_access_token: "nt" } },
    steps: [tick],
    upstream: () => ({
      status: 429,
      headers: { "retry-after": "1" },
      body: { object: "error", status: 429, code: "rate_limited", message: "slow" },
    }),
  },
  {
    title: "Airtable's older client, which takes a global `self` for a browser",
    component: "cms/airtable-older.mjs",
    packages: ["airtable__11"],
    steps: [tick],
    upstream: airtable,
  },
  {
    title: "Airtable's records are read page by page and one is made",
    component: "cms/airtable-records.mjs",
    packages: ["airtable"],
    auth: { airtable: { oauth_access_token: "pat" } },
    steps: [tick, tick],
    upstream: airtable,
  },
  {
    title: "Webflow's items are listed, and a missing site is reported",
    component: "cms/webflow-items.mjs",
    packages: ["webflow-api"],
    props: { siteId: "s1" },
    auth: { webflow: { oauth_access_token: "wf" } },
    steps: [postJson({ collection: "col 1" })],
    upstream: webflow,
  },
  {
    title: "messages of Microsoft Graph are iterated behind a subscription",
    component: "office/graph-messages.mjs",
    packages: ["@microsoft/microsoft-graph-client", "isomorphic-fetch"],
    auth: { outlook: { oauth_access_token: "ms" } },
    steps: [postJson({ validationToken: "check ü" }), postJson({ value: [] })],
    upstream: graph,
  },
  {
    title: "Onfleet's tasks are read behind a checked webhook",
    component: "office/onfleet-tasks.mjs",
    packages: ["@onfleet/node-onfleet"],
    auth: { onfleet: { api_key: "of" } },
    steps: [postJson({ check: "abc" }), postJson({ time: 5 })],
    upstream: onfleet,
  },
];
