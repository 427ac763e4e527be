import { afterAll, beforeAll, expect, test } from "vitest";

import {
  component,
  type Data,
  endpointPath,
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
const put = (id: string, body: object, query = ""): Promise<Reply<Data<SourceBody> & ErrorBody>> =>
  service.call("PUT", `/sources/${id}${query}`, body);
const patch = (id: string, body: object): Promise<Reply<Data<SourceBody> & ErrorBody>> =>
  service.call("PATCH", `/sources/${id}`, body);
const read = async (id: string): Promise<SourceBody> =>
  (await service.call<Data<SourceBody>>("GET", `/sources/${id}`)).body.data;

test("R077 updating runs deactivate of the old code and activate of the new code, and not deploy", async () => {
  const source = await service.deploy(trail.component("r077", 1), { note: "old" });
  const reply = await put(source.id, { component_code: trail.component("r077", 2), configured_props: { note: "new" } });
  expect(reply.status).toBe(200);
  expect(trail.of("r077")).toEqual(["1/deploy", "1/activate", "1/deactivate", "2/activate"]);
  expect(reply.body.data).toMatchObject({ id: source.id, configured_props: { note: "new" } });
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual(["new"]);
});

test("R142 an update keeps the id of the source, whatever the version of its component", async () => {
  const code = (version: string): string => component({ name: "Versions" }).replace("0.0.1", version);
  const source = await service.deploy(code("2.0.0"));
  for (const version of ["1.0.0", "older"]) {
    const { body } = await put(source.id, { component_code: code(version) });
    expect(body.data.id).toBe(source.id);
    const saved = await service.call<Data<{ version: string }>>("GET", `/components/${body.data.component_id}`);
    expect(saved.body.data.version).toBe(version);
  }
});

test("R090 PUT replaces: omitted fields get their defaults", async () => {
  const source = await service.deploy(component({ name: "Literal" }), {}, { name: "Mine" });
  const reference = { component_id: source.component_id };
  const off = await put(source.id, { ...reference, name: "Mine", active: false });
  expect(off.body.data).toMatchObject({ name: "Mine", active: false });
  const on = await put(source.id, reference);
  expect(on.body.data).toMatchObject({ name: "literal", active: true, id: source.id });
});

test("R090 PUT always runs the hooks, also when nothing changes", async () => {
  const source = await service.deploy(trail.component("r090", 1));
  await put(source.id, { component_id: source.component_id });
  expect(trail.of("r090").slice(2)).toEqual(["1/deactivate", "1/activate"]);
});

test("R090 PATCH keeps omitted fields, and runs no hook when nothing changes", async () => {
  const source = await service.deploy(trail.component("patch", 1), { note: "a" }, { name: "Mine" });
  const off = await patch(source.id, { active: false });
  expect(off.body.data).toMatchObject({ name: "Mine", active: false, configured_props: { note: "a" } });
  const renamed = await patch(source.id, { name: "Yours" });
  expect(renamed.body.data).toMatchObject({ name: "Yours", active: false });
  const on = await patch(source.id, { active: true });
  expect(on.body.data).toMatchObject({ name: "Yours", active: true, configured_props: { note: "a" } });
  const calls = trail.of("patch");
  expect(calls).toEqual(["1/deploy", "1/activate", "1/deactivate", "1/activate"]);
  expect((await patch(source.id, {})).status).toBe(200);
  expect((await patch(source.id, { active: true, name: "Yours" })).status).toBe(200);
  expect(trail.of("patch")).toEqual(calls);
});

test("R079 the change of active decides the hooks: true-false deactivate, false-false none, false-true activate", async () => {
  const source = await service.deploy(trail.component("matrix", 1));
  const reference = { component_id: source.component_id };
  const calls = async (active: boolean): Promise<string[]> => {
    const before = trail.of("matrix").length;
    await put(source.id, { ...reference, active });
    return trail.of("matrix").slice(before);
  };
  expect(await calls(false)).toEqual(["1/deactivate"]);
  expect(await calls(false)).toEqual([]);
  expect(await calls(true)).toEqual(["1/activate"]);
  expect(await calls(true)).toEqual(["1/deactivate", "1/activate"]);
});

test("G06 a failing deactivate keeps the source unless hook errors are ignored", async () => {
  const source = await service.deploy(trail.component("g06", 1, { deactivate: true }));
  const refused = await service.call("DELETE", `/sources/${source.id}`);
  expect([refused.status, refused.body.code]).toEqual([422, "hook_failed"]);
  expect(refused.body.error).toContain("refused by hook");
  expect((await read(source.id)).active).toBe(true);
  expect((await service.call("DELETE", `/sources/${source.id}?ignore_hook_errors=false`)).status).toBe(422);
  expect((await service.call("DELETE", `/sources/${source.id}?ignore_hook_errors=true`)).status).toBe(204);
  expect((await service.call("GET", `/sources/${source.id}`)).status).toBe(404);
});

test("S8 an update whose deactivate throws changes nothing, unless hook errors are ignored", async () => {
  const source = await service.deploy(trail.component("s8a", 1, { deactivate: true }), { note: "old" });
  const change = { component_code: trail.component("s8a", 2), configured_props: { note: "new" } };
  const refused = await put(source.id, change);
  expect([refused.status, refused.body.code]).toEqual([422, "hook_failed"]);
  const kept = await read(source.id);
  expect([kept.component_id, kept.configured_props]).toEqual([source.component_id, source.configured_props]);
  const done = await put(source.id, change, "?ignore_hook_errors=true");
  expect([done.status, done.body.data.configured_props["note"]]).toEqual([200, "new"]);
});

test("S8 an update whose activate throws restores the old code and activates it", async () => {
  const source = await service.deploy(trail.component("s8b", 1), { note: "old" });
  const refused = await put(source.id, {
    component_code: trail.component("s8b", 2, { activate: true }),
    configured_props: { note: "new" },
  });
  expect([refused.status, refused.body.code]).toEqual([422, "hook_failed"]);
  expect(trail.of("s8b").slice(2)).toEqual(["1/deactivate", "2/activate", "1/activate"]);
  const kept = await read(source.id);
  expect(kept).toMatchObject({ active: true, component_id: source.component_id, configured_props: { note: "old" } });
  await service.run(source.id);
  expect(await service.emitted(source.id)).toEqual(["old"]);
});

test("R076 a deploy whose hook throws leaves nothing, and the answer says why", async () => {
  for (const hook of ["deploy", "activate"]) {
    const before = await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=1");
    const reply = await create({ component_code: trail.component(`fails-${hook}`, 1, { [hook]: true }) });
    const after = await service.call<List<SourceBody>>("GET", "/users/me/sources?limit=1");
    expect([reply.status, reply.body.code]).toEqual([422, "hook_failed"]);
    expect(reply.body.error).toContain(hook);
    expect(after.body).toEqual(before.body);
    expect(trail.of(`fails-${hook}`).at(-1)).toBe("1/deactivate");
  }
});

test("S9 endpoint, db, dedupe state and events survive an update", async () => {
  const code = (version: number): string =>
    component({
      props: 'http: "$.interface.http", db: "$.service.db"',
      more: `dedupe: "unique", description: "v${version}",`,
      run: `this.db.set("n", (this.db.get("n") ?? 0) + 1);
        this.$emit({ v: ${version}, n: this.db.get("n") }, { id: event.id });`,
    });
  const source = await service.deploy(code(1));
  await service.run(source.id, { id: "a" });
  const updated = (await put(source.id, { component_code: code(2) })).body.data;
  expect(endpointPath(updated)).toBe(endpointPath(source));
  await service.run(source.id, { id: "a" });
  await service.run(source.id, { id: "b" });
  expect(await service.emitted(source.id)).toEqual([
    { v: 1, n: 1 },
    { v: 2, n: 3 },
  ]);
});

test("G58 configured_props of an update are merged, null removes a value, and required props stay required", async () => {
  const props = 'a: "string", b: { type: "string", optional: true }, c: { type: "string", optional: true }';
  const source = await service.deploy(component({ props }), { a: "1", b: "2" });
  const reference = { component_id: source.component_id };
  const merged = await put(source.id, { ...reference, configured_props: { b: null, c: "3" } });
  expect(merged.body.data.configured_props).toEqual({ a: "1", c: "3" });
  expect((await put(source.id, reference)).body.data.configured_props).toEqual({ a: "1", c: "3" });
  const unset = await patch(source.id, { configured_props: { a: null } });
  expect([unset.status, unset.body.code]).toEqual([400, "invalid_props"]);
  const grown = await put(source.id, { component_code: component({ props: `${props}, d: "integer"` }) });
  expect([grown.status, grown.body.code]).toEqual([400, "invalid_props"]);
  expect((await read(source.id)).configured_props).toEqual({ a: "1", c: "3" });
});
