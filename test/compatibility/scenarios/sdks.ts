import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const github: Answer = ({ url, method }) => {
  if (url.includes("/none")) return { status: 404, body: { message: "Not Found" } };
  if (method === "POST") return { status: 201, body: { id: 9 } };
  const isSecond = url.includes("page=2");
  const next = "https://api.github.com/repositories/1/issues?page=2";
  return {
    headers: isSecond ? {} : { link: `<${next}>; rel="next"` },
    body: [{ id: isSecond ? 2 : 1, title: "Ü" }],
  };
};

const hubspot: Answer = ({ url, method }) => {
  if (url.includes("/none"))
    return { status: 404, body: { status: "error", message: "nö", category: "OBJECT_NOT_FOUND" } };
  if (method === "POST") return { status: 201, body: { id: "n1" } };
  const results = [
    { id: "1", properties: { email: "z@example.com" }, createdAt: "2026-01-01T00:00:00Z", archived: false },
  ];
  return { body: { results } };
};

const openai: Answer = ({ url, body }) => {
  if (url.includes("/files/")) return { status: 404, body: { error: { message: "no file" } } };
  if (url.endsWith("/models")) return { body: { object: "list", data: [{ id: "m1" }, { id: "m2" }] } };
  if (!JSON.parse(body.toString()).stream)
    return { body: { choices: [{ message: { role: "assistant", content: "Ü" } }] } };
  const parts = ["a", " ü"].map((content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
  return { headers: { "content-type": "text/event-stream" }, body: `${parts.join("")}data: [DONE]\n\n` };
};

const contentful: Answer = ({ url }) =>
  url.includes("/none") || url.includes("sys.id=none")
    ? { status: 404, body: { sys: { type: "Error", id: "NotFound" }, message: "nö" } }
    : {
        body: {
          sys: { type: "Array" },
          total: 1,
          skip: 0,
          limit: 100,
          items: [{ sys: { id: "e1", type: "Entry" }, fields: { title: "Ü" } }],
        },
      };

const supabase: Answer = ({ url, method }) => {
  if (url.includes("/rpc/")) return { body: 3 };
  if (method === "POST")
    return { status: 409, body: { code: "23505", message: "duplicate ü", details: null, hint: null } };
  return { headers: { "content-range": "0-1/5" }, body: [1, 2].map((id) => ({ id, name: `N ${id}` })) };
};

const queue: Answer = ({ url, headers, body }) => {
  const target = headers["x-amz-target"] ?? "";
  if (target.endsWith("ReceiveMessage"))
    return { body: { Messages: [{ MessageId: "m1", Body: '{"a":"ü"}', ReceiptHandle: "r1" }] } };
  if (target.endsWith("DeleteMessage")) return { body: {} };
  const isMissing = body.includes('"none"');
  const type = "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException";
  return isMissing
    ? { status: 400, body: { __type: type, message: "nö" } }
    : { body: { Items: [{ id: { S: url } }], Count: 1 } };
};

const recurly: Answer = ({ url }) => {
  if (url.includes("none"))
    return { status: 404, body: { error: { type: "not_found", message: "Couldn't find Account" } } };
  const data = [1, 2].map((each) => ({ id: `a${each}`, object: "account", code: `c${each}`, email: "z@example.com" }));
  return {
    headers: { "recurly-version": "recurly.v2021-02-25" },
    body: { object: "list", has_more: false, next: null, data },
  };
};

const mailjet: Answer = ({ url, method }) => {
  if (url.includes("404")) return { status: 404, body: { ErrorMessage: "Object not found", StatusCode: 404 } };
  return method === "POST"
    ? { body: { Messages: [{ Status: "success" }] } }
    : { body: { Count: 1, Data: [{ ID: 1, Status: "sent" }], Total: 1 } };
};

const dropbox: Answer = ({ url }) => {
  if (url.includes("get_metadata"))
    return { status: 409, body: { error_summary: "path/not_found/", error: { ".tag": "path" } } };
  const isMore = url.includes("continue");
  return {
    body: { entries: [{ id: `id:${isMore ? 2 : 1}`, name: "ü" }], cursor: isMore ? "c2" : "c1", has_more: false },
  };
};

const budget: Answer = ({ url }) =>
  url.includes("/none")
    ? { status: 404, body: { error: { id: "404.2", name: "resource_not_found", detail: "nö" } } }
    : {
        body: {
          data: {
            transactions: [{ id: "t1", amount: -12_340, payee_name: "Ü", date: "2026-01-02", subtransactions: [] }],
          },
        },
      };

const shop: Answer = ({ url }) =>
  url.includes("/none")
    ? { status: 404, body: { code: "woocommerce_rest_shop_order_invalid_id", message: "nö" } }
    : { headers: { "x-wp-totalpages": "3" }, body: [{ id: 1, total: "9.50" }] };

export const withSdks: readonly Scenario[] = [
  {
    title: "GitHub's REST client reads pages and makes a hook",
    component: "sdks/octokit-rest.mjs",
    packages: ["@octokit/rest"],
    auth: { github: { oauth_access_token: "gt" } },
    steps: [tick],
    upstream: github,
  },
  {
    title: "HubSpot's contacts are listed, and one is missing",
    component: "sdks/hubspot-contacts.mjs",
    packages: ["@hubspot/api-client"],
    auth: { hubspot: { oauth_access_token: "ht" } },
    steps: [tick],
    upstream: hubspot,
  },
  {
    title: "OpenAI's answers come whole and in a stream",
    component: "sdks/openai-answers.mjs",
    packages: ["openai"],
    auth: { openai: { api_key: "ok" } },
    steps: [postJson({ question: "wie?" })],
    upstream: openai,
  },
  {
    title: "Contentful's entries are read since the last time",
    component: "sdks/contentful-entries.mjs",
    packages: ["contentful"],
    steps: [tick],
    upstream: contentful,
  },
  {
    title: "Supabase's rows are read and one is refused",
    component: "sdks/supabase-rows.mjs",
    packages: ["@supabase/supabase-js"],
    headers: ["apikey", "prefer", "range"],
    steps: [tick, tick],
    upstream: supabase,
  },
  {
    title: "messages of a queue are received and deleted, a table is asked",
    component: "sdks/queue-messages.mjs",
    packages: ["@aws-sdk/client-sqs", "@aws-sdk/client-dynamodb"],
    headers: ["x-amz-target"],
    masks: [/Credential=.*/],
    steps: [tick],
    upstream: queue,
  },
  {
    title: "Recurly's accounts are iterated, and one is missing",
    component: "sdks/recurly-accounts.js",
    packages: ["recurly"],
    steps: [tick],
    upstream: recurly,
  },
  {
    title: "Mailjet's messages are listed and one is sent",
    component: "sdks/mailjet-messages.js",
    packages: ["node-mailjet"],
    steps: [tick],
    upstream: mailjet,
  },
  {
    title: "a client of SFTP loads, and reports that it is not connected",
    component: "sdks/sftp-client.mjs",
    packages: ["ssh2-sftp-client"],
    steps: [tick],
  },
  {
    title: "Dropbox's folder is followed by its cursor",
    component: "sdks/dropbox-files.mjs",
    packages: ["dropbox"],
    headers: ["dropbox-api-arg"],
    steps: [tick, tick],
    upstream: dropbox,
  },
  {
    title: "a budget's transactions are read",
    component: "sdks/budget-transactions.js",
    packages: ["ynab"],
    steps: [tick],
    upstream: budget,
  },
  {
    title: "a shop's orders are read with signed addresses",
    component: "sdks/shop-orders.js",
    packages: ["@woocommerce/woocommerce-rest-api"],
    steps: [tick],
    upstream: shop,
  },
];
