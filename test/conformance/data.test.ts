import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type List, type Reply, type Service, startService } from "./fixture.ts";

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly updated_at: number;
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const code = component({
  props: 'db: "$.service.db"',
  run: `for (const [key, value] of Object.entries(event.set ?? {})) this.db.set(key, value);
    this.$emit(this.db.get(event.get ?? "none"))`,
});
const entries = (id: string, query = ""): Promise<Reply<List<Entry>>> =>
  service.call("GET", `/sources/${id}/db${query}`);
const value = (method: string, id: string, key: string, body?: object): Promise<Reply<Data<Entry>>> =>
  service.call(method, `/sources/${id}/db/${encodeURIComponent(key)}`, body);

test("S13 the db is listed by key, with the time of each value in seconds", async () => {
  const { id } = await service.deploy(code);
  expect((await entries(id)).body).toEqual({
    page_info: { total_count: 0, count: 0, start_cursor: "", end_cursor: "" },
    data: [],
  });
  await service.run(id, { set: { b: { n: [1] }, a: null } });
  const first = Math.floor(service.clock.now() / 1000);
  service.clock.jump(5_000);
  await service.run(id, { set: { c: "text" } });
  expect((await entries(id)).body.data).toEqual([
    { key: "a", value: null, updated_at: first },
    { key: "b", value: { n: [1] }, updated_at: first },
    { key: "c", value: "text", updated_at: first + 5 },
  ]);
});

test("S13 a value is written, read by the next run, read back and deleted", async () => {
  const { id } = await service.deploy(code);
  const written = await value("PUT", id, "cursor", { value: { page: 4 } });
  expect([written.status, written.body]).toEqual([200, { data: { key: "cursor", value: { page: 4 } } }]);
  await service.run(id, { get: "cursor" });
  expect(await service.emitted(id)).toEqual([{ page: 4 }]);
  expect((await value("GET", id, "cursor")).body.data).toEqual({ key: "cursor", value: { page: 4 } });
  const removed = await service.call<undefined>("DELETE", `/sources/${id}/db/cursor`);
  expect([removed.status, removed.body]).toEqual([204, undefined]);
  for (const method of ["GET", "DELETE"]) expect((await value(method, id, "cursor")).status, method).toBe(404);
});

test("S13 keys and values of every kind are stored unchanged", async () => {
  const { id } = await service.deploy(code);
  for (const key of ["a/b", "ü %", "__proto__", "constructor", "a:b", "$x", "0", "x".repeat(512)]) {
    for (const given of [null, 0, false, "", [], { __proto__: null, a: { b: "\u0000" } }]) {
      expect((await value("PUT", id, key, { value: given })).status, key).toBe(200);
      expect((await value("GET", id, key)).body.data, key).toEqual({ key, value: given });
    }
    expect((await value("DELETE", id, key)).status, key).toBe(204);
  }
  expect((await entries(id)).body.data).toEqual([]);
});

const numbered = (count: number): { readonly [key: string]: number } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index).padStart(2, "0")}`, index]));
const values = (reply: Reply<List<Entry>>): unknown[] => reply.body.data.map((entry) => entry.value);

test("R093 the db is listed in pages of 10, whose cursors stay valid when their keys are deleted", async () => {
  const { id } = await service.deploy(code);
  await service.run(id, { set: numbered(12) });
  const first = await entries(id);
  expect(first.body.page_info).toMatchObject({ total_count: 12, count: 10 });
  const { start_cursor, end_cursor } = first.body.page_info;
  expect(values(await entries(id, `?after=${end_cursor}`))).toEqual([10, 11]);
  expect(values(await entries(id, `?before=${end_cursor}&limit=2`))).toEqual([7, 8]);
  expect(values(await entries(id, `?after=${start_cursor}&before=${end_cursor}`))).toHaveLength(8);
  await value("DELETE", id, "k09");
  expect(values(await entries(id, `?after=${end_cursor}`))).toEqual([10, 11]);
  for (const bad of ["***", "_w"]) expect((await entries(id, `?after=${bad}`)).status, bad).toBe(400);
});

test("R092 fields of the entries of a db can be chosen", async () => {
  const { id } = await service.deploy(code);
  await service.run(id, { set: { a: 1 } });
  expect((await entries(id, "?include=key")).body.data).toEqual([{ key: "a" }]);
  expect((await entries(id, "?exclude=updated_at,key")).body.data).toEqual([{ value: 1 }]);
});

test("G51 a value that is too large and a key that is too long are refused over REST as well", async () => {
  const { id } = await service.deploy(code);
  const refusals: [string, string, unknown][] = [
    ["db_value_too_large", "k", "x".repeat(61 * 1024)],
    ["invalid_parameter", "x".repeat(513), 1],
    ["invalid_parameter", "ü".repeat(300), 1],
  ];
  for (const [code, key, given] of refusals) {
    const reply = await service.call("PUT", `/sources/${id}/db/${encodeURIComponent(key)}`, { value: given });
    expect([reply.status, reply.body.code], key.slice(0, 9)).toEqual([400, code]);
  }
  expect((await value("PUT", id, "k", { value: "x".repeat(60 * 1024 - 2) })).status).toBe(200);
  expect((await value("PUT", id, "x".repeat(512), { value: 1 })).status).toBe(200);
  expect((await entries(id)).body.page_info.total_count).toBe(2);
});

test("S13 a body without a value or with other members is refused, and ids of other users are not found", async () => {
  const { id } = await service.deploy(code);
  for (const body of [{}, { value: 1, ttl: 5 }]) expect((await value("PUT", id, "k", body)).status).toBe(400);
  expect((await entries(id)).body.page_info.total_count).toBe(0);
  expect((await entries("dc_none")).status).toBe(404);
  expect((await value("PUT", "dc_none", "k", { value: 1 })).status).toBe(404);
});

test("4.3 a reset clears the cached ids of all channels, and keeps events and db", async () => {
  const { id } = await service.deploy(
    component({
      props: 'db: "$.service.db"',
      more: 'dedupe: "unique",',
      run: 'this.db.set("k", 1); this.$emit(event.n, { id: event.n }); this.$emit(event.n, { id: event.n, name: "side" })',
    }),
  );
  await service.run(id, { n: 1 });
  expect((await service.run(id, { n: 1 })).deduped).toBe(2);
  const reset = await service.call<Data<object>>("POST", `/sources/${id}/dedupe/reset`);
  expect([reset.status, reset.body.data]).toMatchObject([200, { id, active: true }]);
  expect((await service.run(id, { n: 1 })).deduped).toBe(0);
  expect((await service.run(id, { n: 1 })).deduped).toBe(2);
  expect(await service.emitted(id)).toEqual([1, 1, 1, 1]);
  expect((await entries(id)).body.data).toMatchObject([{ key: "k" }]);
  expect((await service.call("POST", "/sources/dc_none/dedupe/reset")).status).toBe(404);
});
