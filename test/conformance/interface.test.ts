import { createApp } from "@x/server";
import { afterAll, beforeAll, expect, test } from "vitest";

import { apiKey, component, type Data, type List, type Service, type SourceBody, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const emitter = component({ run: "this.$emit({ a: 1, b: { c: 2, d: 3 } }, { summary: 'one' })" });

test("R001 every path is below /v1", async () => {
  const headers = { authorization: `Bearer ${apiKey}` };
  const statuses = await Promise.all(
    ["/v1/users/me", "/users/me", "/v2/users/me", "/v1", "/v1/v1/users/me", "/"].map(
      async (path) => (await fetch(service.url + path, { headers })).status,
    ),
  );
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
});

test("R002 created_at and updated_at of components, sources and webhooks are epoch seconds", async () => {
  const source = await service.deploy(component({ name: "Seconds" }));
  const saved = await service.call<Data<object>>("GET", `/components/${source.component_id}`);
  const webhook = await service.call<Data<object>>("POST", "/webhooks", { url: "https://example.test/" });
  const now = Math.floor(service.clock.now() / 1000);
  for (const shown of [source, saved.body.data, webhook.body.data])
    expect(shown).toMatchObject({ created_at: now, updated_at: now });
  service.clock.jump(7_000);
  const renamed = await service.call<Data<object>>("PATCH", `/sources/${source.id}`, { name: "Later" });
  expect(renamed.body.data).toMatchObject({ created_at: now, updated_at: now + 7 });
});

test("R003 ids have the prefix of their kind", async () => {
  const source = await service.deploy(component({ run: "throw new Error('no')" }));
  await service.run(source.id);
  const [failure] = await service.events(source.id, "$errors/");
  const webhook = await service.call<Data<{ id: string }>>("POST", "/webhooks", { url: "https://example.test/" });
  const pair = { emitter_id: source.id, listener_id: webhook.body.data.id };
  const workflow = await service.runtime.workflow({
    code: 'export default { name: "Told", steps: [{ name: "only", run() {} }] };',
  });
  const subscription = await service.call<Data<{ id: string }>>("POST", "/subscriptions", pair);
  expect(source.id).toMatch(/^dc_\w+$/);
  expect(source.component_id).toMatch(/^sc_\w+$/);
  expect(source).toHaveProperty("user_id", expect.stringMatching(/^u_\w+$/));
  expect(workflow.id).toMatch(/^p_\w+$/);
  expect(webhook.body.data.id).toMatch(/^wh_\w+$/);
  expect(subscription.body.data.id).toMatch(/^sub_\w+$/);
  expect(failure?.event).toMatchObject({
    original_context: { deployment_id: expect.stringMatching(/^d_\w+$/) as string },
    error: { cellId: expect.stringMatching(/^c_\w+$/) as string },
  });
});

test("R004 no endpoint creates, changes or deletes workflow definitions", async () => {
  for (const [method, path] of [
    ["POST", "/workflows"],
    ["PUT", "/workflows/p_1"],
    ["PATCH", "/workflows/p_1"],
    ["DELETE", "/workflows/p_1"],
  ] as const) {
    const body = method === "DELETE" ? undefined : {};
    expect([404, 405], `${method} ${path}`).toContain((await service.call(method, path, body)).status);
  }
});

test("R023 a paginated body has page_info with four members, and data", async () => {
  const source = await service.deploy(emitter);
  await service.run(source.id);
  for (const path of ["/users/me/sources", `/sources/${source.id}/event_summaries`]) {
    const { body } = await service.call<List<{ id: string }>>("GET", `${path}?limit=1`);
    expect(Object.keys(body).toSorted()).toEqual(["data", "page_info"]);
    expect(Object.keys(body.page_info).toSorted()).toEqual(["count", "end_cursor", "start_cursor", "total_count"]);
    expect(body.page_info).toMatchObject({ count: 1, total_count: expect.any(Number) as number });
    expect(body.page_info.start_cursor).toBe(body.page_info.end_cursor);
    expect(body.page_info.start_cursor).not.toBe("");
    expect(body.data).toHaveLength(1);
  }
});

test("R023 an empty page has count 0 and empty cursors", async () => {
  const source = await service.deploy(emitter);
  const { body } = await service.call<List<object>>("GET", `/sources/${source.id}/event_summaries`);
  expect(body).toEqual({ page_info: { total_count: 0, count: 0, start_cursor: "", end_cursor: "" }, data: [] });
});

test("R092 include and exclude choose fields: query on GET, body on POST, list items too", async () => {
  const code = component({ name: "Fields" });
  const created = await service.call<Data<SourceBody>>("POST", "/sources", {
    component_code: code,
    include: "name,active",
    exclude: "active",
  });
  expect(Object.keys(created.body.data).toSorted()).toEqual(["id", "name"]);
  const { id } = created.body.data;
  const read = async (query: string): Promise<string[]> =>
    Object.keys((await service.call<Data<object>>("GET", `/sources/${id}?${query}`)).body.data).toSorted();
  const all = await read("");
  expect(all).toContain("configured_props");
  expect(await read("include=&exclude=")).toEqual(all);
  expect(await read("include=name,nope")).toEqual(["id", "name"]);
  expect(await read("exclude=id,nope")).toEqual(all.filter((name) => name !== "id"));
  const list = await service.call<List<object>>("GET", "/users/me/sources?limit=1&include=name_slug");
  expect(list.body.page_info.count).toBe(1);
  expect(Object.keys(list.body.data[0] ?? {}).toSorted()).toEqual(["id", "name_slug"]);
});

test("R092 a dotted name selects a nested field", async () => {
  const source = await service.deploy(emitter);
  await service.run(source.id);
  const path = `/sources/${source.id}/event_summaries`;
  const included = await service.call<List<object>>("GET", `${path}?include=event.b.c`);
  expect(included.body.data[0]).toEqual({ id: expect.any(String) as string, event: { b: { c: 2 } } });
  const excluded = await service.call<List<object>>("GET", `${path}?exclude=event.b,metadata`);
  expect(excluded.body.data[0]).toMatchObject({ event: { a: 1 } });
  expect(excluded.body.data[0]).not.toHaveProperty("event.b");
  expect(excluded.body.data[0]).not.toHaveProperty("metadata");
});

test("R093 limit is 10 by default, and after and before move through the list", async () => {
  const fresh = await startService();
  try {
    const { component_id } = await fresh.deploy(component());
    for (let made = 1; made < 12; made++) {
      await fresh.call("POST", "/sources", { component_id, name: `s${made}` });
    }
    const page = async (query: string): Promise<List<SourceBody>> =>
      (await fresh.call<List<SourceBody>>("GET", `/users/me/sources?${query}`)).body;
    const first = await page("");
    expect(first.page_info).toMatchObject({ total_count: 12, count: 10 });
    expect(first.data.map((source) => source.name).slice(0, 2)).toEqual(["s11", "s10"]);
    const rest = await page(`after=${first.page_info.end_cursor}`);
    expect(rest.data).toHaveLength(2);
    const everything = [...first.data, ...rest.data].map((source) => source.id);
    expect(new Set(everything).size).toBe(12);
    const back = await page(`before=${rest.page_info.start_cursor}&limit=100`);
    expect(back.data.map((source) => source.id)).toEqual(everything.slice(0, 10));
  } finally {
    await fresh[Symbol.asyncDispose]();
  }
});

test("G09 a cursor is the unpadded base64url of the id, stays valid after its item is deleted, and invalid ones are 400", async () => {
  const fresh = await startService();
  try {
    const { component_id } = await fresh.deploy(component());
    for (const name of ["a", "b", "c", "d"]) await fresh.call("POST", "/sources", { component_id, name });
    const list = (query: string) => fresh.call<List<SourceBody>>("GET", `/users/me/sources?${query}`);
    const first = (await list("limit=2")).body;
    const last = first.data[1];
    expect(first.page_info.end_cursor).toBe(Buffer.from(last?.id ?? "").toString("base64url"));
    expect(first.page_info.end_cursor).not.toContain("=");
    await fresh.call("DELETE", `/sources/${last?.id}`);
    const next = (await list(`after=${first.page_info.end_cursor}`)).body;
    expect(next.data.map((source) => source.name)).toEqual(["b", "a", "probe"]);
    const between = (await list(`after=${first.page_info.start_cursor}&before=${next.page_info.end_cursor}`)).body;
    expect(between.data.map((source) => source.name)).toEqual(["b", "a"]);
    expect((await list("after=!!")).status).toBe(400);
    expect((await list("before=ZGNf")).status).toBe(400);
  } finally {
    await fresh[Symbol.asyncDispose]();
  }
});

test("G10 a limit out of range is clamped to 1 to 100", async () => {
  const long = await startService({ limits: { retention: 130 } });
  try {
    const source = await long.deploy(component({ run: "for (let i = 0; i < 120; i++) this.$emit(i)" }));
    await long.run(source.id);
    const count = async (limit: string): Promise<number> =>
      (await long.call<List<object>>("GET", `/sources/${source.id}/event_summaries?limit=${limit}`)).body.page_info
        .count;
    const counts = [await count("1000"), await count("0"), await count("-7"), await count("100"), await count("3")];
    expect(counts).toEqual([100, 1, 1, 100, 3]);
  } finally {
    await long[Symbol.asyncDispose]();
  }
});

test("S17 an empty limit means the default, and a limit that is not an integer is 400", async () => {
  const source = await service.deploy(component({ run: "for (let i = 0; i < 20; i++) this.$emit(i)" }));
  await service.run(source.id);
  const list = (limit: string) =>
    service.call<List<object>>("GET", `/sources/${source.id}/event_summaries?limit=${limit}`);
  expect((await list("")).body.page_info.count).toBe(10);
  for (const limit of ["ten", "1.5", "1e1", "0x10", "%20", "--1"]) {
    expect((await list(limit)).status, limit).toBe(400);
  }
});

test("G04 every failure has error, code and details", async () => {
  const replies = [
    await service.call("GET", "/nowhere"),
    await service.call("PUT", "/users/me", {}),
    await service.call("GET", "/users/me", undefined, { authorization: "Bearer wrong" }),
    await service.call("POST", "/sources", {}),
    await service.call("GET", "/sources/dc_unknown"),
  ];
  expect(replies.map((reply) => [reply.status, reply.body.code])).toEqual([
    [404, "not_found"],
    [405, "method_not_allowed"],
    [401, "unauthorized"],
    [400, "missing_parameter"],
    [404, "not_found"],
  ]);
  for (const { body } of replies) {
    expect(Object.keys(body)).toEqual(["error", "code", "details"]);
    expect(body.error.length).toBeGreaterThan(10);
    expect(body.details).toBeTypeOf("object");
  }
});

test("G05 creating answers 200, deleting a source 204 without a body, deleting events 202", async () => {
  const saved = await service.call("POST", "/components", { component_code: component({ name: "Codes" }) });
  const created = await service.call<Data<SourceBody>>("POST", "/sources", { component_code: component() });
  const { id } = created.body.data;
  const run = await service.call("POST", `/sources/${id}/run`, {});
  const events = await service.call("DELETE", `/sources/${id}/events`);
  const gone = await service.call("DELETE", `/sources/${id}`);
  expect([saved, created, run, events, gone].map((reply) => reply.status)).toEqual([200, 200, 200, 202, 204]);
  expect(events.body).toEqual({});
  expect(gone.body).toBeUndefined();
});

test("R115 every endpoint requires Authorization: Bearer with a valid key", async () => {
  const paths = [
    "/users/me",
    "/users/me/sources",
    "/sources/dc_1",
    "/components/sc_1",
    "/sources/dc_1/event_summaries",
  ];
  for (const path of paths) {
    for (const authorization of [
      "",
      `Basic ${apiKey}`,
      apiKey,
      "Bearer",
      "Bearer ",
      "Bearer wrong",
      `Bearer ${apiKey}x`,
    ]) {
      const reply = await service.call("GET", path, undefined, { authorization });
      expect(reply.status, `${path} ${authorization}`).toBe(401);
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
  }
  expect((await fetch(`${service.url}/v1/users/me`)).status).toBe(401);
  expect((await service.call("GET", "/users/me", undefined, { authorization: `bearer  ${apiKey}` })).status).toBe(200);
});

test("R115 every operation of the description requires a key, whatever else is wrong", async () => {
  const { paths } = (await (await fetch(`${service.url}/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security?: unknown[] }>>;
  };
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method, { security }]) => method !== "servers" && security === undefined)
      .map(([method]) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, "x")] as const),
  );
  expect(operations.length).toBeGreaterThan(40);
  for (const [method, path] of operations) {
    const response = await fetch(`${service.url}/v1${path}`, { method });
    expect([response.status, response.headers.get("www-authenticate")], `${method} ${path}`).toEqual([401, "Bearer"]);
  }
});

test("R116 a JSON payload requires Content-Type application/json", async () => {
  const body = JSON.stringify({ component_code: component() });
  const send = async (type: string, method = "POST", path = "components"): Promise<number> => {
    const headers = { authorization: `Bearer ${apiKey}`, "content-type": type };
    return (await fetch(`${service.url}/v1/${path}`, { method, headers, body })).status;
  };
  expect(await send("application/json")).toBe(200);
  expect(await send("application/json; charset=UTF-8")).toBe(200);
  for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded", "text/json"]) {
    expect(await send(type), type).toBe(415);
    expect(await send(type, "PUT", "sources/dc_1"), type).toBe(415);
  }
});

test("S18 Content-Type is required only with a body", async () => {
  const source = await service.deploy(emitter);
  const reply = await service.call<Data<{ status: string }>>("POST", `/sources/${source.id}/run`);
  expect([reply.status, reply.body.data.status]).toEqual([200, "ok"]);
  const headers = { "content-type": "text/plain" };
  expect((await service.call("POST", `/sources/${source.id}/run`, undefined, headers)).status).toBe(200);
});

test("R117 the user shows its api_key", async () => {
  const { body } = await service.call<Data<{ api_key: string }>>("GET", "/users/me");
  expect(body.data.api_key).toBe(apiKey);
});

test("R109 GET /users/me is the user of the key, with selectable fields", async () => {
  const { status, body } = await service.call<Data<object>>("GET", "/users/me");
  const source = await service.deploy(component());
  expect([status, body]).toMatchObject([200, { data: { id: (source as { user_id?: string }).user_id } }]);
  const short = await service.call<Data<object>>("GET", "/users/me?include=email");
  expect(Object.keys(short.body.data)).toEqual(["id", "email"]);
});

test("R024 a user has texts, integer quotas, and integer counters that increase", async () => {
  const me = async (): Promise<Record<string, unknown>> =>
    (await service.call<Data<Record<string, unknown>>>("GET", "/users/me")).body.data;
  const before = await me();
  for (const name of ["id", "username", "email", "api_key"]) expect(before[name], name).toBeTypeOf("string");
  for (const of of ["compute_time", "invocations"]) {
    for (const name of [`daily_${of}_quota`, `daily_${of}_used`])
      expect(Number.isSafeInteger(before[name]), name).toBe(true);
  }
  await service.run((await service.deploy(component())).id);
  expect(Number((await me())["daily_invocations_used"]) - Number(before["daily_invocations_used"])).toBe(1);
});

test("R140 success is 2xx, an error of the client 4xx", async () => {
  expect((await service.call("GET", "/users/me")).status).toBe(200);
  expect((await service.call("POST", "/components", { component_code: "export default {" })).status).toBe(422);
  expect((await service.call("POST", "/components", { component_code: "export default {}" })).status).toBe(400);
});

test("G04 checks are in this order: path, method, key, content type, size, JSON, parameters, resource", async () => {
  const send = async (method: string, path: string, headers: Record<string, string>, body: string): Promise<number> => {
    const init = { method, headers, ...(body !== "" && { body }) };
    return (await fetch(`${service.url}/v1${path}`, init)).status;
  };
  const key = { authorization: `Bearer ${apiKey}` };
  const json = { ...key, "content-type": "application/json" };
  const large = "x".repeat(1024 * 1024 + 1);
  expect(await send("PUT", "/nowhere", {}, large)).toBe(404);
  expect(await send("PUT", "/sources", {}, large)).toBe(405);
  expect(await send("PUT", "/sources/dc_no", { "content-type": "text/plain" }, large)).toBe(401);
  expect(await send("PUT", "/sources/dc_no", key, large)).toBe(415);
  expect(await send("PUT", "/sources/dc_no", json, large)).toBe(413);
  expect(await send("PUT", "/sources/dc_no", json, "{")).toBe(400);
  expect(await send("PUT", "/sources/dc_no", json, "{}")).toBe(400);
  expect(await send("PUT", "/sources/dc_no", json, '{"component_code":"x"}')).toBe(404);
});

test("G04 the answer to a refused method lists the allowed methods", async () => {
  const reply = await service.call("POST", "/sources/dc_1", {});
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, PATCH, DELETE"]);
  const head = await fetch(`${service.url}/v1/users/me`, {
    method: "HEAD",
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect([head.status, await head.text()]).toEqual([200, ""]);
});

test("G04 the interface answers no cross-origin request", async () => {
  const headers = { origin: "https://elsewhere.test", "access-control-request-method": "GET" };
  const preflight = await fetch(`${service.url}/v1/users/me`, { method: "OPTIONS", headers });
  const read = await service.call("GET", "/users/me", undefined, { origin: "https://elsewhere.test" });
  expect(preflight.status).toBe(405);
  expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  expect(read.headers.get("access-control-allow-origin")).toBeNull();
});

test("3.13 GET /healthz needs no key", async () => {
  const response = await fetch(`${service.url}/healthz`);
  expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
});

test("3.13 /healthz answers 503 while the service closes", async () => {
  const app = createApp(service.runtime);
  const health = (): Promise<Response> => app.fetch(new Request("http://localhost/healthz"));
  expect((await health()).status).toBe(200);
  app.drain();
  expect((await health()).status).toBe(503);
});

test("G04 the Web-standard handler gives the same answers as the server", async () => {
  const app = createApp(service.runtime);
  const headers = { authorization: `Bearer ${apiKey}` };
  for (const path of ["/v1/users/me/sources", "/v1/nowhere", "/v1/sources/dc_none"]) {
    const here = await app.fetch(new Request(`http://localhost${path}`, { headers }));
    const there = await fetch(service.url + path, { headers });
    expect([here.status, await here.text()], path).toEqual([there.status, await there.text()]);
  }
  const large = new Request("http://localhost/v1/components", {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: "x".repeat(1024 * 1024 + 1),
  });
  expect((await app.fetch(large)).status).toBe(413);
});
