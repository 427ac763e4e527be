import { afterAll, beforeAll, expect, test } from "vitest";

import {
  apiKey,
  component,
  type Data,
  endpointPath,
  type List,
  sendRaw,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";

let service: Service;
let source: SourceBody;
beforeAll(async () => {
  service = await startService();
  const code = component({
    name: "Only one",
    props: 'http: "$.interface.http", text: { type: "string", optional: true }',
    run: "this.$emit(1)",
  });
  source = await service.deploy(code);
  await service.run(source.id);
});
afterAll(() => service[Symbol.asyncDispose]());

interface Malformed {
  readonly method?: string;
  /** `ID` stands for the source, `IN` for its endpoint. */
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly status: number;
}

const json = { "content-type": "application/json" };
const post = (body: unknown, status = 400, path = "/v1/sources"): Malformed => ({
  method: "POST",
  path,
  headers: json,
  body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  status,
});
const put = (body: unknown): Malformed => ({ ...post(body), method: "PUT", path: "/v1/sources/ID" });
const patch = (body: unknown): Malformed => ({ ...post(body), method: "PATCH", path: "/v1/sources/ID" });
const get = (path: string, status = 400): Malformed => ({ path: `/v1${path}`, status });
const remove = (path: string, status = 400): Malformed => ({ method: "DELETE", path: `/v1${path}`, status });
const good = component({ name: "Good" });
const configured = (configured_props: unknown): Malformed => post({ component_code: good, configured_props });

const requests: { readonly [name: string]: Malformed } = {
  "path: outside the interface": { path: "/etc/passwd", status: 404 },
  "path: parent segments": { path: "/v1/../../secret", status: 404 },
  "path: encoded parent segments": { path: "/v1/sources/%2e%2e%2f%2e%2e", status: 404 },
  "path: doubled slashes": { path: "//v1//users//me", status: 404 },
  "path: broken percent encoding": { path: "/v1/sources/%ZZ", status: 404 },
  "path: percent encoding that is not UTF-8": { path: "/v1/components/%ff%fe", status: 404 },
  "path: encoded NUL": get("/sources/dc_%00", 404),
  "path: encoded line break": get("/components/a%0d%0ab", 404),
  "path: encoded slash": get("/sources/dc_1%2Fevents", 404),
  "path: id too long": get(`/sources/${"a".repeat(300)}`),
  "path: name of a prototype member": get("/components/__proto__", 404),
  "path: name of a constructor": get("/sources/constructor", 404),
  "path: id of another kind": get("/sources/sc_1", 404),
  "path: unknown stream": get("/sources/ID/$other/event_summaries", 404),
  "path: too many segments": get("/sources/ID/run/now", 404),
  "path: wrong case": get("/Users/Me", 404),
  "method: unknown to a path": { method: "PUT", path: "/v1/users/me", status: 405 },
  "method: TRACE": { method: "TRACE", path: "/v1/users/me", status: 405 },
  "method: PROPFIND": { method: "PROPFIND", path: "/v1/sources/ID", status: 405 },
  "key: missing": { path: "/v1/users/me", headers: { authorization: "" }, status: 401 },
  "key: wrong scheme": { path: "/v1/users/me", headers: { authorization: "Basic YTpi" }, status: 401 },
  "key: wrong": { path: "/v1/users/me", headers: { authorization: `Bearer ${apiKey}0` }, status: 401 },
  "key: two": { path: "/v1/users/me", headers: { authorization: `Bearer ${apiKey}, Bearer b` }, status: 401 },
  "key: very long": { path: "/v1/users/me", headers: { authorization: `Bearer ${"k".repeat(5_000)}` }, status: 401 },
  "query: limit is a word": get("/users/me/sources?limit=ten"),
  "query: limit is a fraction": get("/users/me/sources?limit=1.5"),
  "query: limit twice": get("/users/me/sources?limit=1&limit=2"),
  "query: limit has thousands of digits": get(`/users/me/sources?limit=${"9".repeat(3_000)}`),
  "query: cursor is not base64": get("/users/me/sources?after=***"),
  "query: cursor is not of an id": get(`/users/me/sources?before=${Buffer.from("../x").toString("base64url")}`),
  "query: cursor is not UTF-8": get("/users/me/sources?after=__79"),
  "query: event cursor is not an event id": get("/sources/ID/event_summaries?after=ZGNfMQ"),
  "query: expand is unknown": get("/sources/ID/event_summaries?expand=everything"),
  "query: include is too long": get(`/users/me?include=${"a,".repeat(2_500)}`),
  "query: start_id is not an event id": remove("/sources/ID/events?start_id=abc"),
  "query: end_id is empty": remove("/sources/ID/events?end_id="),
  "query: range is reversed": remove("/sources/ID/events?start_id=10-0&end_id=9-9"),
  "query: flag is not a flag": remove("/sources/ID?ignore_hook_errors=maybe"),
  "body: no Content-Type": { method: "POST", path: "/v1/sources", body: "{}", status: 415 },
  "body: form": { ...post("a=b", 415), headers: { "content-type": "application/x-www-form-urlencoded" } },
  "body: other charset": { ...post("{}", 415), headers: { "content-type": "application/json; charset=latin1" } },
  "body: too large": post(`"${"x".repeat(1024 * 1024)}"`, 413),
  "body: missing": { method: "POST", path: "/v1/sources", headers: json, status: 400 },
  "body: cut short": post('{"component_code":'),
  "body: two values": post("{}{}"),
  "body: trailing comma": post('{"name":"a",}'),
  "body: single quotes": post("{'name':'a'}"),
  "body: NaN": post('{"configured_props":NaN}'),
  "body: not UTF-8": post(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)),
  "body: UTF-16": post(new Uint8Array(Buffer.from('{"name":"a"}', "utf16le"))),
  "body: an array": post([]),
  "body: null": post("null"),
  "body: a number": post("5"),
  "body: a text": post('"{}"'),
  "body: nested very deep": post("[".repeat(100_000)),
  "body: nested deep in a member": configured({ text: JSON.parse("[".repeat(300) + "]".repeat(300)) as unknown }),
  "body: unknown member": post({ component_code: good, nmae: "x" }),
  "body: __proto__ member": post(`{"component_code":${JSON.stringify(good)},"__proto__":{"active":true}}`),
  "body: constructor member": post({ component_code: good, constructor: { prototype: {} } }),
  "body: thousands of unknown members": post(
    Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, 1])),
  ),
  "body: unknown member with a hostile name": post({ '<script>"\u0000\ud800/~': 1 }),
  "create: no component": post({ name: "x" }),
  "create: code is a number": post({ component_code: 5 }),
  "create: code is empty": post({ component_code: "" }),
  "create: code is null": post({ component_code: null }),
  "create: name is a list": post({ component_code: good, name: ["a"] }),
  "create: name is empty": post({ component_code: good, name: "" }),
  "create: name is too long": post({ component_code: good, name: "n".repeat(257) }),
  "create: props are a list": configured([]),
  "create: props are a text": configured("x"),
  "create: props are null": configured(null),
  "create: prop is unknown": configured({ nope: 1 }),
  "create: prop is __proto__": post(
    `{"component_code":${JSON.stringify(good)},"configured_props":{"__proto__":{"a":1}}}`,
  ),
  "create: flag is a text": post({ component_code: good, emit_on_deploy: "yes" }),
  "create: include is a list": post({ component_code: good, include: ["id"] }),
  "create: component is unknown": post({ component_id: "sc_unknown" }, 404),
  "create: key is unknown": post({ key: "no-such-key" }, 404),
  "create: only a URL": post({ component_url: "file:///etc/passwd" }, 422),
  "create: code is not a module": post({ component_code: "<html></html>" }, 422),
  "create: code exports nothing": post({ component_code: "const a = 1;" }),
  "create: code throws": post({ component_code: "throw new Error('at load'); export default {};" }),
  "create: code imports a host file": post({ component_code: 'import "/etc/passwd"; export default {};' }, 422),
  "create: code imports an unknown package": post(
    { component_code: 'import "no-such-package-x"; export default {};' },
    422,
  ),
  "create: code is very deep": post({ component_code: `export default ${"(".repeat(100_000)}` }, 422),
  "put: no component": put({ name: "x" }),
  "put: active is a text": put({ component_id: "sc_1", active: "true" }),
  "put: active is null": put({ component_id: "sc_1", active: null }),
  "put: emit_on_deploy is of POST": put({ component_id: "sc_1", emit_on_deploy: true }),
  "put: source is unknown": { ...put({ component_code: good }), path: "/v1/sources/dc_unknown", status: 404 },
  "patch: member is unknown": patch({ id: "dc_other" }),
  "patch: user_id": patch({ user_id: "u_other" }),
  "patch: prop of the wrong type": patch({ configured_props: { text: 5 } }),
  "run: wait is a number": post({ wait: 1 }, 400, "/v1/sources/ID/run"),
  "run: member is unknown": post({ evnt: {} }, 400, "/v1/sources/ID/run"),
  "run: event is too deep": post(`{"event":${"[".repeat(400)}${"]".repeat(400)}}`, 400, "/v1/sources/ID/run"),
  "run: source is unknown": post({}, 404, "/v1/sources/dc_none/run"),
  "endpoint: unknown": { path: `/in/${"z".repeat(28)}`, status: 404 },
  "endpoint: no key": { path: "/in/", status: 404 },
  "endpoint: strange key": { path: "/in/%00%ff", status: 404 },
  "endpoint: too large": { method: "POST", path: "IN", body: "x".repeat(512 * 1024 + 1), status: 413 },
};

/** Requests that never become one for the parser; the server hangs up after its answer. */
const wires: { readonly [name: string]: { readonly bytes: string; readonly status: number } } = {
  "wire: not HTTP": { bytes: "hello\r\n\r\n", status: 400 },
  "wire: unknown method": { bytes: "BREW / HTTP/1.1\r\nhost: a\r\n\r\n", status: 400 },
  "wire: unknown version": { bytes: "GET / HTTP/9.9\r\nhost: a\r\n\r\n", status: 400 },
  "wire: no Host": { bytes: "GET /v1/users/me HTTP/1.1\r\nconnection: close\r\n\r\n", status: 400 },
  "wire: strange Host": { bytes: "GET /v1 HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n", status: 400 },
  "wire: backslash in the path": { bytes: "GET /v1\\x HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", status: 400 },
  "wire: header without a name": { bytes: "GET / HTTP/1.1\r\n: x\r\n\r\n", status: 400 },
  "wire: space in a header name": { bytes: "GET / HTTP/1.1\r\nhost : a\r\n\r\n", status: 400 },
  "wire: NUL in a header": { bytes: "GET / HTTP/1.1\r\nhost: a\r\nx: \0\r\n\r\n", status: 400 },
  "wire: header too large": { bytes: `GET / HTTP/1.1\r\nhost: a\r\nx: ${"x".repeat(20_000)}\r\n\r\n`, status: 431 },
  "wire: path too long": { bytes: `GET /${"p".repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, status: 431 },
  "wire: length is a word": { bytes: "POST /v1/sources HTTP/1.1\r\nhost: a\r\ncontent-length: x\r\n\r\n", status: 400 },
  "wire: length is negative": { bytes: "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n", status: 400 },
  "wire: two lengths": {
    bytes: "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
    status: 400,
  },
  "wire: length and chunks": {
    bytes: "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    status: 400,
  },
  "wire: chunk size is a word": {
    bytes: `POST /v1/sources HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${apiKey}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    status: 400,
  },
  "wire: CONNECT": { bytes: "CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n", status: 405 },
  "wire: unknown expectation": {
    bytes: "GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: magic\r\nconnection: close\r\n\r\n",
    status: 417,
  },
  "wire: OPTIONS *": { bytes: "OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", status: 400 },
};

const shape = {
  error: expect.stringMatching(/^.{5,2100}$/su) as string,
  code: expect.stringMatching(/^[a-z_]+$/) as string,
  details: expect.any(Object) as object,
};

/** Endpoints answer senders of webhooks, in a shorter form. */
const endpointShape = { error: shape.error, code: shape.code };

async function snapshot(): Promise<string> {
  const sources = await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=100");
  const events = await service.call<List<object>>("GET", `/sources/${source.id}/event_summaries?limit=100`);
  const errors = await service.call<List<object>>("GET", `/sources/${source.id}/$errors/event_summaries?limit=100`);
  return JSON.stringify([sources.body, events.body, errors.body]);
}

function wireForm({ method = "GET", path = "/", headers = {}, body }: Malformed): Uint8Array {
  const target = path.replace("ID", source.id).replace(/^IN/, endpointPath(source));
  const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.from(body ?? []);
  const all = {
    host: "127.0.0.1",
    connection: "close",
    authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { "content-length": String(bytes.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`), bytes]);
}

test.each(Object.entries(requests))("R140 %s is refused and changes nothing", async (_name, request) => {
  const before = await snapshot();
  const reply = await sendRaw(service.url, wireForm(request));
  expect(reply.status, JSON.stringify(reply.body)).toBe(request.status);
  expect(reply.body).toMatchObject(request.path?.startsWith("/in/") ? endpointShape : shape);
  expect(await snapshot()).toBe(before);
});

test.each(Object.entries(wires))("R140 %s is refused and changes nothing", async (_name, { bytes, status }) => {
  const before = await snapshot();
  const reply = await sendRaw(service.url, bytes);
  expect([reply.status, reply.body]).toEqual([status, shape]);
  expect(await snapshot()).toBe(before);
});

test("R140 every unknown member is named, with all other problems", async () => {
  const reply = await service.call("POST", "/sources", { nmae: 1, name: 5, activ: true, configured_props: [] });
  const paths = (reply.body.details.errors ?? []).map((problem) => problem.path);
  expect(paths.toSorted()).toEqual(["/activ", "/configured_props", "/name", "/nmae"]);
  expect(reply.body.error).toContain('"nmae"');
});

test("R140 a hostile name is bounded and escaped in the answer", async () => {
  const name = `<img src=x>${"A".repeat(100_000)}`;
  const response = await fetch(`${service.url}/v1/sources`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, ...json },
    body: JSON.stringify({ [name]: 1 }),
  });
  const text = await response.text();
  expect(response.status).toBe(400);
  expect(text.length).toBeLessThan(3_000);
  expect(response.headers.get("content-type")).toContain("application/json");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
});

test("R140 a prop named __proto__ changes nothing but the answer", async () => {
  const code = component({
    props: 'o: "object"',
    run: "this.$emit([Object.keys(this.o), ({}).polluted === undefined])",
  });
  const body = `{"component_code":${JSON.stringify(code)},"configured_props":{"o":{"__proto__":{"polluted":1},"a":1}}}`;
  const headers = { authorization: `Bearer ${apiKey}`, ...json };
  const made = await fetch(`${service.url}/v1/sources`, { method: "POST", headers, body });
  expect(made.status).toBe(200);
  const { data } = (await made.json()) as Data<SourceBody>;
  expect((await service.run(data.id)).status).toBe("ok");
  expect((await service.emitted(data.id))[0]).toEqual([expect.arrayContaining(["a"]), true]);
  expect("polluted" in {}).toBe(false);
  await service.call("DELETE", `/sources/${data.id}`);
});

test("R140 unknown query parameters are ignored", async () => {
  expect((await service.call("GET", "/users/me?nope=1&__proto__=2&limit=x")).status).toBe(200);
});

test("R140 a body on GET is ignored", async () => {
  const request = `GET /v1/users/me HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer ${apiKey}\r\ncontent-length: 4\r\n\r\n{bad`;
  expect((await sendRaw(service.url, request)).status).toBe(200);
});
