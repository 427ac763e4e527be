import { afterAll, beforeAll, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { createValidator, type Description, pointerOf, readDescription } from "./described.ts";
import { exchangeApps, exchangeConnections } from "./openapi-connections.ts";
import { openStream } from "./event-stream.ts";
import {
  apiKey,
  component,
  type Data,
  type List,
  type Service,
  type SourceBody,
  startMs,
  startService,
  startUpstream,
} from "./fixture.ts";

let service: Service;
let description: Description;
let problemOf: ReturnType<typeof createValidator>;
const answered = new Set<string>();

beforeAll(async () => {
  const clock = manualClock(startMs);
  const published = { code: 'export default { name: "Published", key: "published", version: "1", run() {} };' };
  service = await startService(
    { clock, registry: [published], network: { mode: "allow-private" } },
    { app: { clock } },
  );
  description = await readDescription(service.url);
  problemOf = createValidator(description);
});
afterAll(() => service[Symbol.asyncDispose]());

function expectValid(pointer: string, value: unknown): void {
  const problem = problemOf(pointer, value);
  expect(problem === undefined ? [] : [problem, value], pointer).toEqual([]);
}

interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** Sends a request and validates the answer against the description. */
async function exchange<T>(operation: string, status: number, request: Request = {}): Promise<T> {
  const [method = "", template = ""] = operation.split(" ");
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.params?.[name] ?? ""));
  const reply = await service.call<T>(method, `${path}?${request.query ?? ""}`, request.body, request.headers);
  expect(reply.status, `${operation} ${JSON.stringify(reply.body)}`).toBe(status);
  const response = description.paths[template]?.[method.toLowerCase()]?.responses[status];
  expect(response, `${operation} says nothing of ${status}`).toBeDefined();
  expect(reply.body !== undefined).toBe(response?.content !== undefined);
  if (response?.content) {
    const place = pointerOf("paths", template, method.toLowerCase(), "responses", String(status));
    const [mediaType = ""] = Object.keys(response.content);
    expectValid(`${place}${pointerOf("content", mediaType, "schema")}`, reply.body);
  }
  answered.add(`${operation} ${status}`);
  return reply.body;
}

/** A free and a paid user, added by the first one. */
async function exchangeUsers(): Promise<void> {
  const period = { billing_period_start_ts: 1_793_491_200, billing_period_end_ts: 1_796_083_200 };
  for (const body of [{ username: "free" }, { username: "paid", email: "paid@example.test", ...period }]) {
    const { data } = await exchange<Data<{ id: string }>>("POST /users", 200, { body });
    const rotated = await exchange<Data<{ api_key: string }>>("POST /users/{id}/rotate_key", 200, { params: data });
    const headers = { authorization: `Bearer ${rotated.data.api_key}` };
    await exchange("GET /users/me", 200, { headers });
  }
  await exchange("GET /users", 200);
  await exchange("GET /nodes", 200);
}

/** Subscriptions and webhooks, with a pending delivery. */
async function exchangeDeliveries(emitter: string): Promise<void> {
  await using upstream = await startUpstream();
  const query = new URLSearchParams({ url: upstream.url, name: "Archive" }).toString();
  const { data: webhook } = await exchange<Data<{ id: string }>>("POST /webhooks", 200, { query });
  const params = { id: webhook.id };
  await exchange("GET /users/me/webhooks", 200);
  await exchange("GET /webhooks/{id}", 200, { params });
  await exchange("PUT /webhooks/{id}", 200, { params, body: { description: "Everything" } });
  await exchange("POST /webhooks/{id}/rotate_key", 200, { params });

  const triple = { emitter_id: emitter, listener_id: webhook.id, event_name: "" };
  const pair = { listener_id: webhook.id, event_name: "$errors" };
  await exchange("POST /subscriptions", 200, { body: triple });
  await exchange("GET /users/me/subscriptions", 200);
  await exchange("POST /auto_subscriptions", 200, { body: pair });
  await exchange("GET /users/me/auto_subscriptions", 200);

  await service.run(emitter, { n: 77 });
  const { data } = await exchange<List<{ id: string }>>("GET /webhooks/{id}/deliveries", 200, { params });
  const delivery = data[0]?.id ?? "";
  await exchange("GET /webhooks/{id}/deliveries/{delivery}", 200, { params: { ...params, delivery } });
  await exchange("POST /webhooks/{id}/deliveries/{delivery}/redeliver", 200, { params: { ...params, delivery } });
  await exchange("POST /webhooks/{id}/redeliver", 202, { params, body: { status: "delivered" } });

  await exchange("DELETE /auto_subscriptions", 204, { query: new URLSearchParams(pair).toString() });
  await exchange("DELETE /subscriptions", 204, { query: new URLSearchParams(triple).toString() });
  await exchange("DELETE /webhooks/{id}", 204, { params });
}

/** Accounts, and a source that uses one. */
async function exchangeAccounts(): Promise<void> {
  const body = { app: "acme", name: "Work", auth: { token: "token-of-acme" } };
  const { data } = await exchange<Data<{ id: string }>>("POST /accounts", 200, { body });
  const params = { id: data.id };
  await exchange("GET /users/me/accounts", 200, { query: "app=acme" });
  await exchange("PUT /accounts/{id}", 200, { params, body: { auth: {} } });
  const source = await service.deploy(component({ name: "App", props: 'acme: { type: "app", app: "acme" }' }), {
    acme: { authProvisionId: data.id },
  });
  await exchange("DELETE /accounts/{id}", 409, { params });
  await service.call("DELETE", `/sources/${source.id}`);
  await exchange("DELETE /accounts/{id}", 204, { params });
  answered.delete("DELETE /accounts/{id} 409");
}

/** The record of a project. */
async function exchangeProjects(): Promise<void> {
  const params = { name: "shop" };
  const resources = [{ kind: "source", name: "orders", id: null, made: true, fingerprint: "f" }];
  await exchange("PUT /projects/{name}", 200, { params, body: { revision: 0, resources } });
  await exchange("GET /users/me/projects", 200);
  await exchange("GET /projects/{name}", 200, { params });
  await exchange("PUT /projects/{name}", 409, { params, body: { revision: 0, resources: [] } });
  await exchange("DELETE /projects/{name}", 204, { params });
  answered.delete("PUT /projects/{name} 409");
}

/** A workflow with an emit, an error and logs. */
async function exchangeWorkflows(): Promise<void> {
  const step = 'console.log("ran"); $.send.emit("x".repeat(steps.trigger.event.size)); throw new Error("told to")';
  const steps = `[{ name: "only", run({ steps, $ }) { ${step} } }]`;
  const module = `export default { name: "Told", trigger: { type: "http" }, steps: ${steps} }`;
  const { id } = await service.runtime.workflow({ code: module });
  for (const size of [1, 2_000]) await service.runtime.invoke(id, { event: { size } });
  const params = { id };
  await exchange("GET /users/me/workflows", 200);
  for (const folder of ["", "/$errors", "/$logs"]) {
    for (const query of ["", "expand=event", "since_id=0-0&q=/raw_event=x"])
      await exchange(`GET /workflows/{id}${folder}/event_summaries`, 200, { params, query });
  }
  await exchange("GET /workflows/{id}", 200, { params });
  await exchange("GET /workflows/{id}/logs", 200, { params });
  await exchange("GET /workflows/{id}/executions", 200, { params });
  await using stream = await openStream(service.url, `/workflows/${id}/sse?replay=1`);
  const [message] = await stream.take(1);
  expectValid("/components/schemas/WorkflowEventSummary", JSON.parse(message?.data ?? ""));
  answered.add("GET /workflows/{id}/sse 200");
  for (const folder of ["", "/$errors", "/$logs"])
    await exchange(`DELETE /workflows/{id}${folder}/events`, 202, { params });
}

/** Executions with everything that a record can show, of a source and of a workflow. */
async function exchangeExecutions(): Promise<void> {
  const dropping = component({
    props: 'db: "$.service.db", http: { type: "$.interface.http", customResponse: true }',
    more: 'dedupe: "greatest",',
    run: `this.db.set("k", (this.db.get("k") ?? 0) + 1); this.db.set("big", "x".repeat(9_000)); console.log("ran");
      await fetch("http://127.0.0.1:1/").catch(() => undefined);
      this.$emit({ n: 1 }, { id: 1, summary: "s", ts: 5 }); this.$emit("x".repeat(20_000), { id: 2 });
      this.http.respond({ status: 201, headers: { "x-a": "b" }, body: "done" });`,
  });
  const source = await service.deploy(dropping);
  const listener = await service.deploy(component({ name: "Listener" }));
  await service.runtime.subscribe({ emitterId: source.id, listenerId: listener.id });
  for (let n = 0; n < 2; n++) await service.hit(source, "", { method: "POST", body: "x" });
  await service.runtime.idle();
  const params = { id: source.id };
  await exchange("GET /sources/{id}/executions", 200, { params });
  await exchange("GET /executions", 200, { query: "status=failed&since=1" });
  const all = await exchange<List<{ execution_id: string }>>("GET /executions", 200, { query: "limit=100" });
  for (const { execution_id: id } of all.data) await exchange("GET /executions/{id}", 200, { params: { id } });
  const { execution_id: id } = await service.run(listener.id, { n: 1 });
  await exchange("GET /executions/{id}/test", 200, { params: { id } });
  await exchange("POST /executions/{id}/replay", 200, { params: { id } });
  await exchange("POST /executions/{id}/replay", 200, { params: { id }, body: { event: 1, wait: false } });
  await using stream = await openStream(service.url, `/executions/stream?after=${id}`);
  const [message] = await stream.take(1);
  expectValid("/components/schemas/ExecutionSummary", JSON.parse(message?.data ?? ""));
  answered.add("GET /executions/stream 200");
  await exchange("GET /logs", 200, { query: "level=info" });
  await using logs = await openStream(service.url, "/logs/stream");
  const talking = await service.deploy(component({ name: "Talking", run: "console.log(1)" }));
  await service.run(talking.id);
  const [log] = await logs.take(1);
  expectValid("/components/schemas/LogSummary", JSON.parse(log?.data ?? ""));
  answered.add("GET /logs/stream 200");
}

/** Options of a component and of a source, as answers and as errors, and the props that a component adds. */
async function exchangeOptions(): Promise<void> {
  const asking = component({
    name: "Asking",
    props: `p: { type: "string", optional: true, async options({ page }) { console.log("asked", page);
      if (page === 2) throw new TypeError("no page"); return { options: ["a", "b"], context: { next: page + 1 } } } }`,
    more: `additionalProps() { if (this.p) throw new Error("no props"); return { q: { type: "integer", optional: true } } },`,
  });
  const source = await service.deploy(asking);
  const id = source.component_id;
  for (const page of [0, 1, 2]) {
    const body = { prop_name: "p", page, prev_context: null, query: "q" };
    await exchange("POST /components/configure", 200, { body: { id, ...body } });
    await exchange("POST /sources/{id}/configure", 200, { params: { id: source.id }, body });
  }
  await exchange("POST /components/props", 200, { body: { id } });
  await exchange("POST /components/props", 200, { body: { id, configured_props: { p: "a" } } });
  await exchange("POST /sources/{id}/props", 200, { params: { id: source.id }, body: {} });
}

const code = component({
  name: "Told",
  props:
    'db: "$.service.db", http: "$.interface.http", timer: "$.interface.timer", note: { type: "string", optional: true, label: "Note", default: "n" }',
  more: 'key: "told", dedupe: "unique",',
  run: `this.db.set("n", event.n ?? 0); this.$emit({ n: event.n }, { id: event.n ?? 0, summary: "s", ts: 5 });
    this.$emit("x".repeat(event.size ?? 0), { id: String(event.n), name: "side" });
    console.log("ran", { a: [1] }); if (event.fail) throw new TypeError("told to");`,
});

test("3.13 every answer of every operation matches the description", async () => {
  const { data: saved } = await exchange<Data<{ id: string }>>("POST /components", 200, {
    body: { component_code: code },
  });
  await exchange("GET /components/{key}", 200, { params: { key: saved.id } });
  await exchange("GET /components/registry", 200);
  await exchange("GET /components/registry/{key}", 200, { params: { key: "published" } });
  const { data: source } = await exchange<Data<SourceBody>>("POST /sources", 200, {
    body: { component_id: saved.id, configured_props: { timer: { intervalSeconds: 60 } } },
  });
  const params = { id: source.id };
  await exchange("GET /users/me/sources", 200);
  await exchange("GET /sources/{id}", 200, { params });
  await exchange("PUT /sources/{id}", 200, { params, body: { component_id: saved.id } });
  await exchange("PATCH /sources/{id}", 200, { params, body: { name: "Other" } });
  const files = { component_files: { "told.ts": code }, component_entry: "told.ts" };
  await exchange("POST /sources", 200, { body: { ...files, name: "Other", if_exists: "update" } });
  await exchange("POST /sources/compare", 200, { body: { ...files, name: "Other", configured_props: { note: "o" } } });
  await exchange("POST /sources/{id}/compare", 200, {
    params,
    body: { name: "Told", configured_props: { note: "o" } },
  });

  await exchange("POST /sources/{id}/run", 200, { params, body: { event: { n: 1, size: 2_000 } } });
  await exchange("POST /sources/{id}/run", 200, { params, body: { event: { n: 2, fail: true } } });
  await exchange("POST /sources/{id}/event", 200, { params, body: { wait: false } });
  await exchange("GET /clock", 200);
  await exchange("POST /clock/advance", 200, { body: { ms: 60_000 } });

  await exchange("GET /sources/{id}/event_schema", 200, { params });
  await exchange("GET /asyncapi.json", 200);
  for (const folder of ["", "/$errors", "/$logs"]) {
    for (const query of ["", "expand=event", "since_id=0-0&q=/n=1"])
      await exchange(`GET /sources/{id}${folder}/event_summaries`, 200, { params, query });
  }
  await exchange("GET /sources/{id}/logs", 200, { params });
  await exchange("GET /sources/{id}/db", 200, { params });
  await exchange("PUT /sources/{id}/db/{key}", 200, { params: { ...params, key: "k" }, body: { value: [null] } });
  await exchange("GET /sources/{id}/db/{key}", 200, { params: { ...params, key: "k" } });
  await exchange("DELETE /sources/{id}/db/{key}", 204, { params: { ...params, key: "k" } });
  const stored = { name: "shop", key: "k" };
  await exchange("PUT /data_stores/{name}/values/{key}", 200, { params: stored, body: { value: [null] } });
  await exchange("GET /users/me/data_stores", 200);
  await exchange("GET /data_stores/{name}/values/{key}", 200, { params: stored });
  await exchange("GET /data_stores/{name}/values", 200, { params: stored });
  await exchange("DELETE /data_stores/{name}/values/{key}", 204, { params: stored });
  await exchange("PUT /data_stores/{name}/values/{key}", 200, { params: stored, body: { value: 1 } });
  await exchange("DELETE /data_stores/{name}", 204, { params: stored });
  await exchange("POST /sources/{id}/dedupe/reset", 200, { params });
  await exchange("POST /sources/{id}/reactivate", 200, { params });
  await exchange("GET /users/me", 200);
  await exchange("GET /users/me/activity", 200);

  await using stream = await openStream(service.url, `/sources/${source.id}/sse?replay=1`);
  const [message] = await stream.take(1);
  expectValid("/components/schemas/EventSummary", JSON.parse(message?.data ?? ""));
  answered.add("GET /sources/{id}/sse 200");

  await exchangeDeliveries(source.id);
  await exchangeOptions();
  await exchangeUsers();
  await exchangeWorkflows();
  await exchangeAccounts();
  await exchangeProjects();
  await exchangeConnections(exchange);
  await exchangeApps(exchange, params.id);
  await exchangeExecutions();

  for (const folder of ["", "/$errors", "/$logs"])
    await exchange(`DELETE /sources/{id}${folder}/events`, 202, { params });
  await exchange("DELETE /sources/{id}", 204, { params });
  for (const path of ["/v1/openapi.json", "/healthz"]) {
    const response = await fetch(service.url + path);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json; charset=utf-8"]);
    answered.add(`GET ${path.replace("/v1", "")} 200`);
  }

  const promised = Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== "servers")
      .flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .filter((status) => status < "300")
          .map((status) => `${method.toUpperCase()} ${path} ${status}`),
      ),
  );
  expect([...answered].toSorted()).toEqual(promised.toSorted());
});

test("3.13 errors match the description, too", async () => {
  const { id } = await service.deploy(component({ name: "Failing" }));
  const params = { id };
  const gone = { id: "dc_none" };
  const key = { headers: { authorization: "Bearer wrong" } };
  const broken = component({ name: "Hooked", more: 'hooks: { deploy() { throw new Error("no") } },' });
  await exchange("GET /users/me", 401, key);
  await exchange("POST /users", 409, { body: { username: "local" } });
  await exchange("POST /users", 400, { body: { username: "" } });
  const { data: other } = await exchange<Data<{ api_key: string }>>("POST /users", 200, {
    body: { username: "other" },
  });
  const others = { headers: { authorization: `Bearer ${other.api_key}` } };
  await exchange("GET /users", 404, others);
  await exchange("POST /users/{id}/rotate_key", 404, { ...others, params: { id: "local" } });
  await exchange("POST /clock/advance", 404, { ...others, body: { ms: 1 } });
  await exchange("POST /clock/advance", 401, { ...key, body: { ms: 1 } });
  await exchange("GET /users/me/sources", 400, { query: "limit=x" });
  await exchange("GET /components/{key}", 404, { params: { key: "none" } });
  await exchange("POST /components", 400, { body: {} });
  await exchange("POST /components", 422, { body: { component_code: "<html>" } });
  await exchange("POST /components", 415, { body: {}, headers: { "content-type": "text/plain" } });
  await exchange("POST /components", 413, { body: { component_code: "x".repeat(1_100_000) } });
  await exchange("POST /components/configure", 404, { body: { id: "none", prop_name: "p" } });
  await exchange("POST /components/props", 400, { body: {} });
  await exchange("POST /sources/{id}/props", 400, { params, body: { configured_props: { none: 1 } } });
  await exchange("POST /sources/{id}/configure", 400, { params, body: { prop_name: "none" } });
  await exchange("POST /sources", 404, { body: { key: "none" } });
  await exchange("POST /sources", 422, { body: { component_code: broken } });
  await exchange("PATCH /sources/{id}", 200, { params, body: { active: false } });
  await exchange("POST /sources/{id}/run", 409, { params, body: {} });
  for (const operation of [
    "GET /sources/{id}",
    "DELETE /sources/{id}",
    "GET /sources/{id}/sse",
    "GET /sources/{id}/logs",
    "GET /sources/{id}/db",
    "DELETE /sources/{id}/events",
    "POST /sources/{id}/dedupe/reset",
  ])
    await exchange(operation, 404, { params: gone });
  await exchange("PUT /sources/{id}/db/{key}", 400, { params: { id, key: "k" }, body: {} });
  await exchange("PUT /data_stores/{name}/values/{key}", 400, {
    params: { name: "a b", key: "k" },
    body: { value: 1 },
  });
  await exchange("GET /data_stores/{name}/values", 404, { params: { name: "none" } });
  await exchange("GET /data_stores/{name}/values/{key}", 404, { params: { name: "none", key: "k" } });
  await exchange("DELETE /data_stores/{name}/values/{key}", 404, { params: { name: "none", key: "k" } });
  await exchange("DELETE /data_stores/{name}", 404, { params: { name: "none" } });
  const refused = await exchange<{ code: string }>("GET /sources/{id}/sse", 400, { params, query: "after=x" });
  expect(refused.code).toBe("invalid_parameter");
});

test("3.13 the description and its page need no key, and are read-only", async () => {
  const read = async (path: string, method = "GET"): Promise<globalThis.Response> =>
    fetch(service.url + path, { method });
  for (const path of ["/v1/openapi.json", "/docs", "/docs/", "/docs/reference.js"]) {
    const [got, head, posted] = [await read(path), await read(path, "HEAD"), await read(path, "POST")];
    expect([got.status, head.status, posted.status, posted.headers.get("allow")], path).toEqual([
      200,
      200,
      405,
      "GET, HEAD",
    ]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(await got.text())));
  }
  const page = await read("/docs");
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(description.openapi).toMatch(/^3\.1\./);
  expect(JSON.stringify(description)).not.toContain(apiKey);
});

test("R085 the description describes a list as a list", async () => {
  const list = await exchange<List<SourceBody>>("GET /users/me/sources", 200, { query: "limit=1" });
  expect(list.page_info.count).toBe(1);
});
