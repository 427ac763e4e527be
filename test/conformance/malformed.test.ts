import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";

import { afterAll, beforeAll, expect, test } from "vitest";

import {
  apiKey,
  component,
  type Data,
  type ErrorBody,
  endpointPath,
  sendRaw,
  type Service,
  type SourceBody,
  startService,
} from "./fixture.ts";
import { createStatusCheck } from "./described.ts";
import { basics } from "./malformed-basics.ts";
import { get, json, type Malformed, post, put } from "./malformed-request.ts";
import { resources, typed } from "./malformed-resources.ts";
import { wires } from "./malformed-wires.ts";

const requests = { ...basics, ...resources };

let folder: string;
let service: Service;
let file: DatabaseSync;
let tables: { readonly name: string; readonly all: StatementSync }[];
let source: SourceBody;
let webhook: string;
let checkStatus: ReturnType<typeof createStatusCheck>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-malformed-"));
  service = await startService({ data: folder });
  file = new DatabaseSync(join(folder, "x.db"), { readOnly: true });
  tables = file
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => ({ name: String(name), all: file.prepare(`SELECT * FROM "${String(name)}"`) }));
  const code = component({
    name: "Only one",
    props: 'http: "$.interface.http", text: { type: "string", optional: true }, db: "$.service.db"',
    more: 'key: "only-one",',
    run: "this.db.set('n', 1); this.$emit(1)",
  });
  source = await service.deploy(code);
  const made = await service.call<Data<{ id: string }>>("POST", "/webhooks", { url: "https://example.test/" });
  webhook = made.body.data.id;
  await service.call("PUT", "/apps/keys", { fields: [{ name: "apiKey" }] });
  await service.run(source.id);
  checkStatus = createStatusCheck(service.url);
});
afterAll(async () => {
  file.close();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const shape = {
  error: expect.stringMatching(/^.{5,2100}$/su) as string,
  code: expect.stringMatching(/^[a-z_]+$/) as string,
  details: expect.any(Object) as object,
};

const problem = { path: expect.stringMatching(/^(\/.*)?$/s) as string, message: expect.stringMatching(/./) as string };
/** A 400 lists every problem. */
const problemsShape = {
  ...shape,
  details: expect.objectContaining({ errors: expect.arrayContaining([expect.objectContaining(problem)]) }) as object,
};

/** Endpoints answer with a shorter error. */
const endpointShape = { error: shape.error, code: shape.code };

/** Every row of every table of the data file, as text. */
function snapshot(): Record<string, string> {
  return Object.fromEntries(tables.map(({ name, all }) => [name, JSON.stringify(all.all())]));
}

const named = (text: string): string => text.replaceAll(/\bID\b/g, source.id).replaceAll(/\bWH\b/g, webhook);

function wireForm({ method = "GET", path = "/", headers = {}, body }: Malformed): Uint8Array {
  const target = named(path).replace(/^IN/, endpointPath(source));
  const bytes = typeof body === "string" ? Buffer.from(named(body)) : Buffer.from(body ?? []);
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

/** Sends the request, and a valid one after it; nothing may have changed. */
async function refused(bytes: string | Uint8Array): ReturnType<typeof sendRaw> {
  const before = snapshot();
  const reply = await sendRaw(service.url, bytes);
  expect(snapshot()).toEqual(before);
  expect((await service.call("GET", "/users/me")).status).toBe(200);
  return reply;
}

test("R140 the tables have more than 200 different malformed requests", () => {
  const names = [...Object.keys(basics), ...Object.keys(resources), ...Object.keys(wires)];
  expect(new Set(names).size).toBe(names.length);
  const forms = [
    ...Object.values(requests).map((request) => Buffer.from(wireForm(request)).toString("latin1")),
    ...Object.values(wires).map(({ bytes }) => Buffer.from(bytes).toString("latin1")),
  ];
  expect(new Set(forms).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(200);
  for (const { status } of [...Object.values(requests), ...Object.values(wires)])
    expect(Math.floor(status / 100)).toBe(4);
});

test("R140 the snapshot has every kind of resource that a request could create", () => {
  const rows = snapshot();
  for (const name of ["user", "component", "source", "webhook", "event", "kv", "endpoint"])
    expect(rows[name], name).toMatch(/^\[\{/);
  for (const name of ["subscription", "auto_subscription", "delivery", "inbox"]) expect(rows[name], name).toBe("[]");
});

/** Words of the interface that are not in snake case; `apiKey` is a field of the app above. */
const otherWords = ["authProvisionId", "intervalSeconds", "apiKey", "linkLocal", "uniqueLocal"];

/** Words in the style of the embedders' interface that the request does not have. */
function foreignWords({ error, details }: ErrorBody, request: Malformed): string[] {
  const words = JSON.stringify([error, details]).match(/\b[a-z]+[A-Z]\w*/g) ?? [];
  const sent = `${request.path} ${String(request.body)}`;
  return words.filter((word) => !sent.includes(word) && !otherWords.includes(word));
}

test.each(Object.entries(requests))("R140 %s: refused, and nothing changes", async (_name, request) => {
  const reply = await refused(wireForm(request));
  expect(reply.status, JSON.stringify(reply.body)).toBe(request.status);
  const { method = "GET", path = "" } = request;
  await checkStatus(method, named(path).replace(/^\/v1/, ""), reply.status);
  if (request.method === "HEAD") return;
  const isEndpoint = request.path?.startsWith("/in/") || request.headers?.["host"]?.endsWith(".localhost");
  expect(reply.body).toMatchObject(isEndpoint ? endpointShape : reply.status === 400 ? problemsShape : shape);
  expect(foreignWords(reply.body as ErrorBody, request)).toEqual([]);
});

test.each(Object.entries(wires))("R140 %s: refused, and nothing changes", async (_name, { bytes, status }) => {
  const reply = await refused(bytes);
  expect([reply.status, reply.body]).toEqual([status, status === 400 ? problemsShape : shape]);
});

test("R140 create: code never ends: refused, and nothing is stored", async () => {
  await using limited = await startService({ limits: { describeTimeoutMs: 250 } });
  const reply = await limited.call("POST", "/sources", { component_code: "for (;;) {} export default {};" });
  expect([reply.status, reply.body]).toEqual([400, problemsShape]);
  expect((await limited.runtime.sources({ limit: 1 })).totalCount).toBe(0);
});

test("R140 every unknown member is named, with all other problems", async () => {
  const reply = await service.call("POST", "/sources", { nmae: 1, name: 5, activ: true, configured_props: [] });
  const paths = (reply.body.details.errors ?? []).map((problem) => problem.path);
  expect(paths.toSorted()).toEqual(["/activ", "/configured_props", "/name", "/nmae"]);
  expect(reply.body.error).toContain('"nmae"');
  expect(reply.body.details.errors).toContainEqual({
    in: "body",
    path: "/nmae",
    message: 'is unknown (did you mean "name"?)',
  });
});

const several: Readonly<Record<string, { readonly request: Malformed; readonly paths: readonly string[] }>> = {
  "a webhook's change": {
    request: put("/webhooks/WH", { name: 5, description: {}, url: "" }),
    paths: ["/description", "/name"],
  },
  "a user": { request: post("/users", { username: "A B", email: "nobody" }), paths: ["/email", "/username"] },
  "an account": { request: post("/accounts", { app: "a b", name: 5, auth: [] }), paths: ["/app", "/auth", "/name"] },
  "a client": {
    request: put("/apps/acme", {
      oauth: { client_id: "", client_secret: 5, token_url: "t", scope_separator: "and" },
      fields: {},
    }),
    paths: ["/fields", "/oauth/client_id", "/oauth/client_secret", "/oauth/scope_separator", "/oauth/token_url"],
  },
  "members of a client": {
    request: put("/apps/acme", { oauth: { clientId: "id", tokenURL: "t" } }),
    paths: ["/oauth/clientId", "/oauth/tokenURL"],
  },
  "a subscription": {
    request: post("/subscriptions", { emitter_id: "sc_1", listener_id: "sc_1", event_name: "$all" }),
    paths: ["/emitter_id", "/event_name", "/listener_id"],
  },
  "the record of a project": {
    request: put("/projects/shop", { revision: 0, resources: [null, { kind: "source" }] }),
    paths: ["/resources/0", "/resources/1"],
  },
  "a page": { request: get("/users/me/sources?after=a&before=b"), paths: ["/after", "/before"] },
  "the query of a page": { request: get("/users/me/sources?after=*&limit=x"), paths: ["/after", "/limit"] },
  "configured props": {
    request: post("/sources", { component_code: typed, configured_props: { text: 5, whole: "1", nope: 1 } }),
    paths: ["/configured_props/nope", "/configured_props/text", "/configured_props/whole"],
  },
};

test.each(Object.entries(several))("R140 every problem of %s is listed", async (_name, { request, paths }) => {
  const reply = await sendRaw(service.url, wireForm(request));
  expect(reply.status).toBe(400);
  const { errors } = (reply.body as ErrorBody).details;
  expect(errors?.map(({ path }) => path).toSorted()).toEqual(paths);
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

test("R140 a prop named __proto__ has no effect besides the answer", async () => {
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

test("R140 a number outside of the range of numbers is refused", async () => {
  const body = `{"component_code":${JSON.stringify(typed)},"configured_props":{"whole":-1e400}}`;
  const reply = await sendRaw(service.url, wireForm({ ...requests["props: unknown"], body, status: 400 }));
  expect(reply.status).toBe(400);
});

test("R140 two Host headers are refused", async () => {
  const headers = `host: a\r\nhost: b\r\nconnection: close\r\nauthorization: Bearer ${apiKey}\r\n`;
  expect((await sendRaw(service.url, `GET /v1/users/me HTTP/1.1\r\n${headers}\r\n`)).status).toBe(400);
});

test("R140 a refused source leaves no component, and its key identifies the same component as before", async () => {
  const code = component({ name: "Refused", props: 'need: "string"', more: 'key: "only-one",' });
  expect((await service.call("POST", "/sources", { component_code: code })).status).toBe(400);
  const found = await service.call<Data<{ id: string }>>("GET", "/components/only-one");
  expect(found.body.data.id).toBe(source.component_id);
});
