import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { component, endpointPath, type Service, sendRaw, type SourceBody, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A source whose runs emit the whole event. */
const catcher = (): Promise<SourceBody> =>
  service.deploy(component({ name: "Catcher", props: 'http: "$.interface.http"', run: "this.$emit(event)" }));

/** A source that answers itself; `run` is the body of its run function. */
const responder = (run: string, at = service): Promise<SourceBody> =>
  at.deploy(component({ name: "Responder", props: 'http: { type: "$.interface.http", customResponse: true }', run }));

/** The event of one request. */
async function caught(path: string, init: RequestInit): Promise<Record<string, unknown>> {
  const source = await catcher();
  expect((await service.hit(source, path, init)).status).toBe(200);
  await service.runtime.idle();
  const [event] = await service.emitted(source.id);
  return event as Record<string, unknown>;
}

test("R058 this.http.endpoint is the endpoint that the source shows", async () => {
  const source = await service.deploy(
    component({ props: 'http: "$.interface.http"', run: "this.$emit(this.http.endpoint)" }),
  );
  await service.run(source.id);
  expect({ endpoint_url: (await service.emitted(source.id))[0] }).toEqual(source.configured_props["http"]);
});

test("R059 the event of a request has method, path, query, headers, bodyRaw and body", async () => {
  const event = await caught("/a/b?x=1&y=two%20words&empty=", {
    method: "POST",
    headers: { "content-type": "application/json", "X-Custom": "Value" },
    body: '{ "a" : 1 }',
  });
  expect(event).toMatchObject({
    method: "POST",
    path: "/a/b",
    query: { x: "1", y: "two words", empty: "" },
    headers: { "content-type": "application/json", "x-custom": "Value" },
    bodyRaw: '{ "a" : 1 }',
    body: { a: 1 },
  });
});

test("S4 the path is relative to the endpoint, and / at the endpoint itself, in both forms of its address", async () => {
  expect(await caught("", {})).toMatchObject({ method: "GET", path: "/", bodyRaw: "" });
  expect(await caught("/", {})).toMatchObject({ path: "/" });
  expect(await caught("/deep//er/", {})).toMatchObject({ path: "/deep//er/" });
  const source = await catcher();
  const host = `${endpointPath(source).split("/").at(-1) ?? ""}.localhost`;
  for (const path of ["/", "/deep//er/"]) {
    const request = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
    expect((await sendRaw(service.url, request)).status).toBe(200);
  }
  expect(await service.emitted(source.id)).toMatchObject([{ path: "/" }, { path: "/deep//er/" }]);
});

test("R059 every method reaches the component", async () => {
  for (const method of ["PUT", "PATCH", "DELETE", "POST"]) {
    expect(await caught("/m", { method }), method).toMatchObject({ method, path: "/m" });
  }
});

test("R059 the event cannot be mistaken for that of a timer", async () => {
  const event = await caught("?timestamp=1&cron=x", { method: "POST", body: "timestamp=1" });
  for (const name of ["timestamp", "interval_seconds", "cron"]) expect(event).not.toHaveProperty(name);
});

test("G28 the host form addresses the same endpoint", async () => {
  const source = await catcher();
  const key = endpointPath(source).split("/").at(-1) ?? "";
  expect(key).toMatch(/^[0-9a-z]{26,}$/);
  const request = `GET /via/host?q=1 HTTP/1.1\r\nhost: ${key}.localhost:7777\r\nconnection: close\r\n\r\n`;
  expect((await sendRaw(service.url, request)).status).toBe(200);
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toMatchObject([{ path: "/via/host", query: { q: "1" } }]);
});

test("G28 endpoints require no key, and are outside of /v1", async () => {
  const source = await catcher();
  expect((await fetch(`${service.url}${endpointPath(source)}`)).status).toBe(200);
  expect((await fetch(`${service.url}/v1${endpointPath(source)}`)).status).toBe(404);
});

test("G29 without customResponse the answer is a small 200, also when run throws", async () => {
  const source = await service.deploy(
    component({ props: 'http: "$.interface.http"', run: "this.$emit(1); throw new Error('after')" }),
  );
  const response = await service.hit(source);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ok: true });
  expect(await service.emitted(source.id)).toEqual([1]);
  expect(await service.events(source.id, "$errors/")).toMatchObject([
    { event: { original_context: { source_type: "HTTP" } } },
  ]);
});

test("R060 respond sends exactly that response", async () => {
  const source = await responder(
    `this.http.respond({ status: 418, headers: { "X-Kind": "tea", "content-type": "text/x-tea" }, body: "short" });`,
  );
  const response = await service.hit(source);
  expect([response.status, response.headers.get("x-kind"), response.headers.get("content-type")]).toEqual([
    418,
    "tea",
    "text/x-tea",
  ]);
  expect(await response.text()).toBe("short");
});

test("R061 a status is an integer from 100 to 599", async () => {
  const source = await responder(`
    const { status } = JSON.parse(event.bodyRaw);
    try { this.http.respond({ status }); } catch (error) {
      this.$emit(status); this.http.respond({ status: 299, body: error.message });
    }`);
  const send = async (status: unknown): Promise<number> =>
    (await service.hit(source, "", { method: "POST", body: JSON.stringify({ status }) })).status;
  expect([await send(200), await send(599), await send("201"), await send(404)]).toEqual([200, 599, 201, 404]);
  for (const status of [99, 600, 200.5, null, "abc", {}]) {
    expect(await send(status), JSON.stringify(status)).toBe(299);
  }
  expect(await service.emitted(source.id)).toHaveLength(6);
});

test("R061 a status that cannot be final is refused at the call, and the error lists what can be sent", async () => {
  const source = await responder(`
    try { this.http.respond({ status: Number(event.query.status) }); } catch (error) {
      this.http.respond({ status: 299, body: error.name + ": " + error.message });
    }`);
  for (const status of [100, 101, 102, 103, 199]) {
    const text = `respond: status ${status} cannot be the answer: 100 to 199 only announce one; use 200 to 599`;
    const response = await service.hit(source, `?status=${status}`);
    expect([response.status, await response.text()]).toEqual([299, `RangeError: ${text}`]);
  }
});

test("R061 statusCode instead of status is an error that suggests status", async () => {
  const source = await responder("this.http.respond({ statusCode: 200 })");
  expect((await service.hit(source)).status).toBe(500);
  const [record] = await service.events(source.id, "$errors/");
  expect(JSON.stringify(record?.event)).toContain("did you mean");
});

test("R062 a body is text, an object as JSON, or bytes unchanged", async () => {
  const source = await responder(`
    const bodies = { text: "plain ü", object: { a: [1] }, bytes: Uint8Array.of(0, 255, 128), number: 5, none: undefined };
    this.http.respond({ status: 200, body: bodies[event.query.kind] });`);
  const get = (kind: string): Promise<Response> => service.hit(source, `?kind=${kind}`);
  expect(await (await get("text")).text()).toBe("plain ü");
  const object = await get("object");
  expect([await object.json(), object.headers.get("content-type")?.split(";")[0]]).toEqual([
    { a: [1] },
    "application/json",
  ]);
  expect([...new Uint8Array(await (await get("bytes")).arrayBuffer())]).toEqual([0, 255, 128]);
  expect(await (await get("number")).text()).toBe("5");
  expect(await (await get("none")).text()).toBe("");
});

test("R062 a Buffer is sent as its bytes", async () => {
  const source = await responder("this.http.respond({ status: 200, body: Buffer.from([0, 255, 128]) })");
  const response = await service.hit(source);
  expect(response.status).toBe(200);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 128]);
});

test("R060 a header may be a list of values", async () => {
  const source = await responder(
    `this.http.respond({ status: 200, body: "x", headers: { "set-cookie": ["a=1", "b=2"], "x-ok": "yes" } });`,
  );
  const response = await service.hit(source);
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(response.headers.get("x-ok")).toBe("yes");
  expect(await response.text()).toBe("x");
});

test("R060 connection headers and values with line breaks are refused", async () => {
  const source = await responder(`
    const headers = { [event.query.name]: event.query.value };
    try { this.http.respond({ status: 200, headers, body: "went out" }); } catch { this.$emit(event.query.name); }`);
  const refused = ["transfer-encoding=chunked", "connection=upgrade", "x-a=1%0d%0ax-evil:2", "x%20y=1"];
  for (const header of refused) {
    const [name, value] = header.split("=");
    const response = await service.hit(source, `?name=${name}&value=${value}`);
    expect(response.status, header).toBe(500);
    expect(response.headers.get("x-evil")).toBeNull();
  }
  expect(await service.emitted(source.id)).toEqual(["transfer-encoding", "connection", "x-a", "x y"]);
});

test("R060 HEAD, 204 and 304 have no body", async () => {
  const source = await responder('this.http.respond({ status: Number(event.query.s ?? 200), body: "body" })');
  const head = await service.hit(source, "", { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const status of [204, 304]) {
    const response = await service.hit(source, `?s=${status}`);
    expect([response.status, await response.text()]).toEqual([status, ""]);
  }
});

test("R063 without customResponse the component cannot answer", async () => {
  const run = "this.http.respond({ status: 299, body: 'own' })";
  const plain = await service.deploy(component({ props: 'http: { type: "$.interface.http" }', run }));
  const off = await service.deploy(
    component({ props: 'http: { type: "$.interface.http", customResponse: false }', run }),
  );
  for (const source of [plain, off]) expect((await service.hit(source)).status).toBe(200);
  expect((await service.hit(await responder(run))).status).toBe(299);
});

test("G32 without customResponse a respond is ignored with one warning", async () => {
  const source = await service.deploy(
    component({
      props: 'http: "$.interface.http"',
      run: "this.http.respond({ status: 500 }); this.http.respond({ status: 501 }); this.$emit('went on')",
    }),
  );
  await service.hit(source);
  expect(await service.emitted(source.id)).toEqual(["went on"]);
  const logs = await service.events(source.id, "$logs/");
  expect(logs.map((row) => row.event)).toMatchObject([
    { k: "console.warn", msg: expect.stringContaining("customResponse") as string },
  ]);
});

test("G31 the first respond is sent at the call, and the run continues", async () => {
  const source = await responder(`
    await this.http.respond({ status: 201, body: "first" });
    this.http.respond({ status: 202, body: "second" });
    this.$emit("after");`);
  const response = await service.hit(source);
  expect([response.status, await response.text()]).toEqual([201, "first"]);
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toEqual(["after"]);
});

test("G30 with customResponse a run that does not respond answers 500, and its effects are committed", async () => {
  const source = await responder("this.$emit('ran')");
  expect((await service.hit(source)).status).toBe(500);
  expect(await service.emitted(source.id)).toEqual(["ran"]);
});

test("S23 a run that does not respond leaves an $errors record no_response", async () => {
  const source = await responder("this.$emit('ran')");
  await service.hit(source, "/asked");
  expect((await service.events(source.id, "$errors/")).map((row) => row.event)).toMatchObject([
    {
      original_event: { path: "/asked" },
      error: { code: "no_response", msg: expect.stringContaining("respond") as string },
    },
  ]);
});

test("G30 with customResponse a run that throws answers 500, a timeout 504, and neither answer reveals the code", async () => {
  const throwing = await service.hit(await responder("throw new Error('private detail')"));
  expect(throwing.status).toBe(500);
  expect(await throwing.text()).not.toContain("private detail");
  await using brief = await startService({ limits: { runTimeoutMs: 100 } });
  expect((await brief.hit(await responder("for (;;) {}", brief))).status).toBe(504);
});

test("G34 unknown, inactive and deleted endpoints are 404", async () => {
  const source = await catcher();
  expect((await fetch(`${service.url}/in/${"0".repeat(28)}`)).status).toBe(404);
  expect((await fetch(`${service.url}/in/`)).status).toBe(404);
  await service.call("PATCH", `/sources/${source.id}`, { active: false });
  expect((await service.hit(source)).status).toBe(404);
  await service.call("PATCH", `/sources/${source.id}`, { active: true });
  expect((await service.hit(source)).status).toBe(200);
  await service.call("DELETE", `/sources/${source.id}`);
  expect((await service.hit(source)).status).toBe(404);
});

test("G34 a body over 512 KiB is 413, declared or streamed, and starts no run", async () => {
  const source = await catcher();
  const send = async (body: NonNullable<RequestInit["body"]>): Promise<number> =>
    (await service.hit(source, "", { method: "POST", body, duplex: "half" })).status;
  const streamed = new ReadableStream({
    start(controller) {
      for (let part = 0; part < 9; part++) controller.enqueue(new Uint8Array(64 * 1024));
      controller.close();
    },
  });
  expect(await send("x".repeat(512 * 1024 + 1))).toBe(413);
  expect(await send(streamed)).toBe(413);
  expect(await send("x".repeat(512 * 1024))).toBe(200);
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toHaveLength(1);
});

test("G35 header names are lower-case, url and client_ip are set, repeated query keys are a list", async () => {
  const event = await caught("/p?a=1&a=2&b=3", { headers: { "X-MiXed": "Kept" } });
  expect(event).toMatchObject({
    headers: { "x-mixed": "Kept" },
    client_ip: "127.0.0.1",
    query: { a: ["1", "2"], b: "3" },
    url: expect.stringMatching(/^http:\/\/sources\.test:9000\/in\/\w+\/p\?a=1&a=2&b=3$/) as string,
  });
});

test("G37 cross-origin requests are allowed unless the component answers itself", async () => {
  const source = await catcher();
  const preflight = await service.hit(source, "", {
    method: "OPTIONS",
    headers: { origin: "https://a.test", "access-control-request-method": "POST" },
  });
  expect(preflight.status).toBeLessThan(300);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")?.replaceAll(" ", "").split(",").toSorted()).toEqual(
    ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"].toSorted(),
  );
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toEqual([]);
  const own = await responder("this.http.respond({ status: 299, body: event.method })");
  const answered = await service.hit(own, "", { method: "OPTIONS" });
  expect([answered.status, await answered.text()]).toEqual([299, "OPTIONS"]);
});

test("R058 each HTTP prop has its own endpoint, and only the prop of the request can respond", async () => {
  const source = await service.deploy(
    component({
      props: `one: { type: "$.interface.http", customResponse: true }, two: { type: "$.interface.http", customResponse: true }`,
      run: "this[event.query.answer].respond({ status: 299, body: event.query.answer })",
    }),
  );
  expect(endpointPath(source, "one")).not.toBe(endpointPath(source, "two"));
  expect((await service.hit(source, "?answer=two", {}, "two")).status).toBe(299);
  expect((await service.hit(source, "?answer=one", {}, "two")).status).toBe(500);
});

describe("a source whose inbox is full", () => {
  let full: Service;
  let source: SourceBody;
  beforeAll(async () => {
    full = await startService({ limits: { inboxPerSource: 1 } });
    const run = "await new Promise((resolve) => setTimeout(resolve, 200_000))";
    source = await full.deploy(component({ props: 'http: "$.interface.http"', run }));
    // One runs until the service is closed, one waits; more are refused.
    const statuses: number[] = [];
    while (statuses.length < 6 && statuses.at(-1) !== 429) statuses.push((await full.hit(source)).status);
    if (statuses[0] !== 200) throw new Error(`The first request was answered ${statuses[0]}`);
  });
  afterAll(async () => {
    await full.runtime.close({ drainMs: 0 });
    await full[Symbol.asyncDispose]();
  });

  test("G34 senders are answered 429 with Retry-After", async () => {
    const reply = await full.hit(source, "", { method: "POST" });
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });

  test("S14 run-now is answered 429 queue_full with Retry-After", async () => {
    const run = await full.call("POST", `/sources/${source.id}/run`, {});
    expect([run.status, run.body.code]).toEqual([429, "queue_full"]);
    expect(Number(run.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });
});
