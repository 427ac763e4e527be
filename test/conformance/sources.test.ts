import { afterAll, beforeAll, expect, test } from "vitest";

import {
  component,
  type Data,
  type ErrorBody,
  type List,
  type Reply,
  type Service,
  type SourceBody,
  startService,
  startUpstream,
  type Upstream,
} from "./fixture.ts";
import { createHookTrail, type HookTrail } from "./hook-trail.ts";

let service: Service;
let upstream: Upstream;
let trail: HookTrail;
beforeAll(async () => {
  upstream = await startUpstream();
  trail = createHookTrail(upstream);
  service = await startService({ network: { mode: "allow-private" } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const create = (body: object): Promise<Reply<Data<SourceBody> & ErrorBody>> => service.call("POST", "/sources", body);
const put = (id: string, body: object): Promise<Reply<Data<SourceBody> & ErrorBody>> =>
  service.call("PUT", `/sources/${id}`, body);
const read = async (id: string): Promise<SourceBody> =>
  (await service.call<Data<SourceBody>>("GET", `/sources/${id}`)).body.data;

const both = `url: { type: "string" }, timer: { type: "$.interface.timer" }, http: "$.interface.http", db: "$.service.db"`;

test("R010 a source shows its fields, and only the create response its user_id", async () => {
  const source = await service.deploy(component({ name: "Orders feed", props: both }), { url: "https://example.test" });
  expect(source).toMatchObject({ active: true, name: "orders-feed", name_slug: "orders-feed" });
  expect(source).toHaveProperty("user_id");
  const names = ["id", "component_id", "configured_props", "active", "created_at", "updated_at", "name", "name_slug"];
  expect(Object.keys(await read(source.id)).toSorted()).toEqual(names.toSorted());
  const list = await service.call<List<object>>("GET", "/users/me/sources?limit=1");
  expect(list.body.data[0]).not.toHaveProperty("user_id");
});

test("R011 component_id leads to the saved component", async () => {
  const code = component({ name: "Findable" });
  const source = await service.deploy(code);
  const reply = await service.call<Data<{ code: string }>>("GET", `/components/${source.component_id}`);
  expect(reply.body.data.code).toBe(code);
});

test("R012 a timer is shown with cron and interval_seconds, whatever its given form", async () => {
  const code = component({ props: 'timer: "$.interface.timer"' });
  for (const given of [{ intervalSeconds: 60 }, { interval_seconds: 60 }]) {
    const source = await service.deploy(code, { timer: given });
    expect(source.configured_props).toEqual({ timer: { cron: null, interval_seconds: 60 } });
  }
  const daily = await service.deploy(code, { timer: { cron: "0 9 * * 1-5" } });
  expect(daily.configured_props["timer"]).toEqual({ cron: "0 9 * * 1-5", interval_seconds: 0 });
});

test("G38 a timer's zone is shown only when one is set", async () => {
  const code = component({ props: 'timer: "$.interface.timer"' });
  const source = await service.deploy(code, { timer: { cron: "0 9 * * *", timezone: "Europe/Paris" } });
  expect(source.configured_props["timer"]).toEqual({
    cron: "0 9 * * *",
    interval_seconds: 0,
    timezone: "Europe/Paris",
  });
});

test("R013 an HTTP interface is shown as its endpoint_url, a db as its type", async () => {
  const source = await service.deploy(component({ props: both }), { url: "x" });
  expect(source.configured_props["http"]).toEqual({
    endpoint_url: expect.stringMatching(/^http:\/\/sources\.test:9000\/in\/[0-9a-z]{26,}$/) as string,
  });
  expect(source.configured_props["db"]).toEqual({ type: "$.service.db" });
});

test("R013 sending back an endpoint_url keeps the endpoint", async () => {
  const source = await service.deploy(component({ props: both }), { url: "x" });
  const body = { component_id: source.component_id, configured_props: source.configured_props };
  const reply = await put(source.id, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data.configured_props["http"]).toEqual(source.configured_props["http"]);
});

test("R012 sending back a timer as shown does not change it", async () => {
  const source = await service.deploy(component({ props: both }), { url: "x", timer: { intervalSeconds: 77 } });
  const body = { component_id: source.component_id, configured_props: source.configured_props };
  const reply = await put(source.id, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  expect(reply.body.data.configured_props["timer"]).toEqual({ cron: null, interval_seconds: 77 });
});

test("R035 slugs are unique in the account: a clash gets a number, and slugs of deleted sources are free again", async () => {
  const { component_id } = await service.deploy(component({ name: "Slugs" }));
  const make = async (name: string): Promise<SourceBody> => (await create({ component_id, name })).body.data;
  const [first, second] = [await make("My project"), await make("My project")];
  expect([first.name_slug, second.name_slug]).toEqual(["my-project", "my-project-2"]);
  expect((await make("my PROJECT")).name_slug).toBe("my-project-3");
  await service.call("DELETE", `/sources/${first.id}`);
  expect((await make("my-project")).name_slug).toBe("my-project");
});

test("G60 a slug is lower-case, and each character that is no letter or digit becomes a hyphen", async () => {
  const { component_id } = await service.deploy(component({ name: "Slugs" }));
  const slug = async (name: string): Promise<string> => (await create({ component_id, name })).body.data.name_slug;
  expect(await slug("My first project - exu_oedidz")).toBe("my-first-project---exu-oedidz");
  expect(await slug("My first project - exu_oedidz")).toBe("my-first-project---exu-oedidz-2");
  expect(await slug("RSS (v2)")).toBe("rss--v2-");
});

test("R044 a missing required prop refuses the deployment, an optional one does not", async () => {
  const code = component({ props: 'need: { type: "string" }, may: { type: "string", optional: true }' });
  const reply = await create({ component_code: code, configured_props: {} });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_props"]);
  expect(JSON.stringify(reply.body.details.errors)).toContain("/need");
  expect(JSON.stringify(reply.body.details.errors)).not.toContain("/may");
  expect((await create({ component_code: code, configured_props: { need: "x" } })).status).toBe(200);
});

test("R049 min and max of an integer are enforced", async () => {
  const code = component({ props: 'n: { type: "integer", min: 2, max: 4 }' });
  const statuses = await Promise.all(
    [1, 2, 4, 5, 2.5, "3"].map(async (n) => (await create({ component_code: code, configured_props: { n } })).status),
  );
  expect(statuses).toEqual([400, 200, 200, 400, 400, 400]);
});

const secretive = component({
  props: 'token: { type: "string", secret: true }, note: { type: "string", optional: true }',
  run: "this.$emit([this.token.length, this.note])",
});

test("R050 the value of a secret prop is in no answer", async () => {
  const secret = "s3cr3t-value-123";
  const source = await service.deploy(secretive, { token: secret });
  const answers = [
    source,
    await put(source.id, { component_code: secretive, configured_props: { token: secret } }),
    await service.call("PATCH", `/sources/${source.id}`, { configured_props: { token: secret } }),
    await read(source.id),
    await service.call("GET", "/users/me/sources?limit=100"),
    await service.call("GET", `/components/${source.component_id}`),
  ];
  expect(JSON.stringify(answers)).not.toContain(secret);
});

test("G33 a secret is shown as a marker, and the marker keeps it", async () => {
  const source = await service.deploy(secretive, { token: "s3cr3t-value-123" });
  expect(source.configured_props).toEqual({ token: { __secret: true } });
  const configured_props = { token: { __secret: true }, note: "n" };
  const kept = await put(source.id, { component_code: secretive, configured_props });
  expect(kept.body.data.configured_props).toEqual(configured_props);
  await service.run(source.id, {});
  expect(await service.emitted(source.id)).toEqual([["s3cr3t-value-123".length, "n"]]);
});

test("S16 a secret is masked in logs and errors", async () => {
  const secret = "another-s3cr3t-456";
  const code = component({
    props: 'token: { type: "string", secret: true }',
    run: "console.log('token is', this.token, [this.token]); throw new Error('bad ' + this.token)",
  });
  const source = await service.deploy(code, { token: secret });
  const execution = await service.run(source.id, {});
  const shown = [execution, await service.events(source.id, "$errors/"), await service.events(source.id, "$logs/")];
  expect(JSON.stringify(execution.error)).toContain("bad ***");
  expect(JSON.stringify(shown)).toContain("token is");
  expect(JSON.stringify(shown)).not.toContain(secret);
});

test("R075 a saved component cannot be run", async () => {
  const saved = await service.call<Data<{ id: string }>>("POST", "/components", { component_code: component() });
  expect((await service.call("POST", `/sources/${saved.body.data.id}/run`, {})).status).toBe(404);
});

test("R076 deploying runs deploy, then activate, once each", async () => {
  const source = await service.deploy(trail.component("r076", 1));
  expect(trail.of("r076")).toEqual(["1/deploy", "1/activate"]);
  await service.run(source.id);
  expect(trail.of("r076")).toHaveLength(2);
});

test("R078 deleting runs deactivate, once", async () => {
  const source = await service.deploy(trail.component("r078", 1));
  await service.call("DELETE", `/sources/${source.id}`);
  expect(trail.of("r078")).toEqual(["1/deploy", "1/activate", "1/deactivate"]);
});

test("R091 DELETE answers 204, and deletes the source and all its data", async () => {
  const source = await service.deploy(component({ props: 'http: "$.interface.http"', run: "this.$emit(1)" }));
  await service.run(source.id);
  const reply = await service.call("DELETE", `/sources/${source.id}`);
  expect([reply.status, reply.body]).toEqual([204, undefined]);
  for (const path of ["", "/event_summaries", "/$errors/event_summaries", "/logs", "/db"]) {
    expect((await service.call("GET", `/sources/${source.id}${path}`)).status, path).toBe(404);
  }
  expect((await service.hit(source)).status).toBe(404);
  const list = await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=100");
  expect(list.body.data.map(({ id }) => id)).not.toContain(source.id);
  expect((await service.call("DELETE", `/sources/${source.id}`)).status).toBe(404);
});

test("R079 an inactive source has no ticks and no endpoint until it is active again", async () => {
  const code = component({
    props: 'http: "$.interface.http", timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }',
    run: "this.$emit(event.method ?? 'tick')",
  });
  const source = await service.deploy(code);
  const reference = { component_id: source.component_id };
  const off = await put(source.id, { ...reference, active: false });
  expect(off.body.data.active).toBe(false);
  expect((await service.hit(source)).status).toBe(404);
  await service.advance(600_000);
  expect(await service.emitted(source.id)).toEqual([]);
  expect((await put(source.id, { ...reference, active: true })).body.data.active).toBe(true);
  expect((await service.hit(source)).status).toBe(200);
  await service.advance(60_000);
  expect(await service.emitted(source.id)).toEqual(["GET", "tick"]);
  await service.call("DELETE", `/sources/${source.id}`);
});

test("R085 the list of sources works with and without a trailing slash", async () => {
  const bare = await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=3");
  const slash = await service.call<List<SourceBody>>("GET", "/users/me/sources/?limit=3");
  expect(bare.status).toBe(200);
  expect(bare.body.data).toHaveLength(3);
  expect(slash.body).toEqual(bare.body);
  expect((await service.call("POST", "/sources/", { component_code: component() })).status).toBe(200);
});

test("R086 a source is created from an id, from code or from a key, with a name and props", async () => {
  const code = component({ name: "Ways", props: 'a: "string"', more: 'key: "ways",' });
  const first = await create({ component_code: code, name: "By code", configured_props: { a: "1" } });
  const { component_id } = first.body.data;
  const second = await create({ component_id, name: "By id", configured_props: { a: "2" } });
  const third = await create({ key: "ways", name: "By key", configured_props: { a: "3" } });
  expect([first, second, third].map((reply) => [reply.body.data.name, reply.body.data.configured_props["a"]])).toEqual([
    ["By code", "1"],
    ["By id", "2"],
    ["By key", "3"],
  ]);
  expect(third.body.data.component_id).toBe(component_id);
});

test("R087 no reference to a component is 400 on POST and on PUT", async () => {
  const source = await service.deploy(component());
  for (const reply of [await create({ name: "x" }), await put(source.id, { name: "x", active: true })]) {
    expect([reply.status, reply.body.code]).toEqual([400, "missing_parameter"]);
    expect(reply.body.error).toContain("component_id");
  }
  expect((await read(source.id)).name).toBe(source.name);
});

test("R088 component_id overrides code, and a URL beside them is only stored", async () => {
  const one = await service.deploy(component({ run: "this.$emit('one')" }));
  const reply = await create({
    component_id: one.component_id,
    component_code: component({ run: "this.$emit('two')" }),
    component_url: "https://example.test/three.mjs",
  });
  expect(reply.status).toBe(200);
  expect(reply.body.data.component_id).toBe(one.component_id);
  await service.run(reply.body.data.id);
  expect(await service.emitted(reply.body.data.id)).toEqual(["one"]);
  const url = await create({ component_url: "http://127.0.0.1:1/three.mjs" });
  expect([url.status, url.body.code]).toEqual([422, "component_url_failed"]);
  expect((await create({ component_id: "sc_unknown" })).status).toBe(404);
});

test("R089 the default name of a source is the slug of its component", async () => {
  const source = await service.deploy(component({ name: "No Name Given!" }));
  expect(source.name).toBe("no-name-given-");
});

test("R047 configured values must be of the type of their prop, and every problem is listed", async () => {
  const props =
    's: "string", i: "integer", b: "boolean", o: "object", l: "string[]", e: { type: "string", options: ["x"] }';
  const good = { s: "a", i: 1, b: false, o: { k: [1] }, l: ["a"], e: "x" };
  expect((await create({ component_code: component({ props }), configured_props: good })).status).toBe(200);
  const bad = { s: 1, i: "x", b: "yes", o: [], l: [1], e: "y", typo: 1 };
  const reply = await create({ component_code: component({ props }), configured_props: bad });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_props"]);
  const paths = (reply.body.details.errors ?? []).map((problem) => problem.path);
  for (const name of Object.keys(bad)) {
    expect(
      paths.some((path) => path.split("/").includes(name)),
      name,
    ).toBe(true);
  }
});

test("G56 emit_on_deploy false drops the events of the deploy hook only", async () => {
  const code = component({
    more: "hooks: { deploy() { this.$emit('history'); }, activate() { this.$emit('activated'); } },",
    run: "this.$emit('run')",
  });
  const loud = await service.deploy(code);
  expect(await service.emitted(loud.id)).toEqual(["history", "activated"]);
  const silent = await service.deploy(code, {}, { emit_on_deploy: false });
  await service.run(silent.id);
  expect(await service.emitted(silent.id)).toEqual(["activated", "run"]);
});

test("S59 component_files may have a tsconfig.json and imports of package.json", async () => {
  const files = {
    "package.json": `{ "name": "app", "imports": { "#two": "./lib/two.ts" } }`,
    "tsconfig.json": `{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } } // as TypeScript reads it`,
    "lib/one.ts": `#!/usr/bin/env node\nexport const one: number = 1;`,
    "lib/two.ts": `export const two: number = 2;`,
    "src/feed.ts": `import { one } from "@/one"; import { two } from "#two";
      export default { name: "Mapped", version: "1", run(this: any) { this.$emit([one, two]); } };`,
  };
  const reply = await create({ component_files: files, component_entry: "src/feed.ts" });
  expect(reply.status).toBe(200);
  const { id } = reply.body.data;
  await service.call("POST", `/sources/${id}/run`, {});
  const events = await service.call<List<{ e: unknown }>>("GET", `/sources/${id}/event_summaries?expand=event`);
  expect(JSON.stringify(events.body)).toContain("[1,2]");
});

test("S60 prop_texts are read by the types of the props, at a deploy and at a change", async () => {
  const props = `name: { type: "string" }, size: { type: "integer", optional: true }, on: { type: "boolean", optional: true },
    ids: { type: "string[]", optional: true }, filter: { type: "object", optional: true }`;
  const code = component({ name: "Typed", props });
  const texts = { name: ["12345"], size: ["7"], on: ["yes"], ids: ["1,2", "3"], filter: [`{"a":1}`] };
  const reply = await create({ component_code: code, prop_texts: texts });
  expect(reply.body.data.configured_props).toEqual({
    name: "12345",
    size: 7,
    on: true,
    ids: ["1", "2", "3"],
    filter: { a: 1 },
  });
  const { id } = reply.body.data;
  const changed = await put(id, { component_code: code, prop_texts: { on: ["no"] }, configured_props: { size: null } });
  expect(changed.body.data.configured_props).toMatchObject({ name: "12345", on: false });
  expect(changed.body.data.configured_props).not.toHaveProperty("size");
  const wrong = await create({ component_code: code, prop_texts: { name: ["a"], size: ["many"] } });
  expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_props"]);
  expect(wrong.body.details).toMatchObject({ errors: [{ path: "/configured_props/size" }] });
  for (const given of [{ name: "a" }, { name: [1] }, { name: [["a"]] }])
    expect((await create({ component_code: code, prop_texts: given })).body.code, JSON.stringify(given)).toBe(
      "invalid_parameter",
    );
});
