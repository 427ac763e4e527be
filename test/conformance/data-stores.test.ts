import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { component, type Data, type List, type Reply, type Service, type SourceBody, startService } from "./fixture.ts";

interface DataStore {
  readonly name: string;
  readonly keys: number;
  readonly bytes: number;
  readonly updated_at: number;
}
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

/** A data store of its own for each test. */
let store = "";
let tests = 0;
beforeEach(() => {
  store = `store-${(tests += 1)}`;
});

const props = 'store: { type: "data_store" }, db: "$.service.db", http: "$.interface.http"';
const code = (run: string, more = ""): string => component({ props, run, more });
const deploy = (run: string, more?: string): Promise<SourceBody> => service.deploy(code(run, more), { store });

const list = async (): Promise<readonly DataStore[]> =>
  (await service.call<Data<readonly DataStore[]>>("GET", "/users/me/data_stores")).body.data;
const values = (query = ""): Promise<Reply<List<Entry>>> => service.call("GET", `/data_stores/${store}/values${query}`);
const stored = async (): Promise<object> =>
  new Map(((await values("?limit=100")).body.data ?? []).map((entry) => [entry.key, entry.value]));
const value = (method: string, key: string, body?: object): Promise<Reply<Data<Entry>>> =>
  service.call(method, `/data_stores/${store}/values/${encodeURIComponent(key)}`, body);

const count = `const n = ((await this.store.get("n")) ?? 0) + 1; await this.store.set("n", n); this.$emit(n)`;

test("S62 a data store is shared by a timer and an endpoint, and both count on", async () => {
  const ticking = await service.deploy(
    component({
      props: `${props}, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }`,
      run: count,
    }),
    { store },
  );
  const asked = await deploy(count);
  await service.hit(asked);
  await service.runtime.idle();
  await service.advance(60_000);
  await service.hit(asked);
  await service.runtime.idle();
  expect([await service.emitted(ticking.id), await service.emitted(asked.id)]).toEqual([[2], [1, 3]]);
  expect(await stored()).toEqual(new Map([["n", 3]]));
});

test("S62 data stores are listed by name, and one is listed by key in pages", async () => {
  const { id } = await deploy(
    `for (let n = 0; n < 12; n += 1) await this.store.set("k" + String(n).padStart(2, "0"), n)`,
  );
  expect((await values()).status).toBe(404);
  await service.run(id);
  const at = Math.floor(service.clock.now() / 1000);
  const bytes = 12 * 3 + 10 + 2 * 2;
  expect(await list()).toContainEqual({ name: store, keys: 12, bytes, updated_at: at });
  const first = (await values()).body;
  expect(first.page_info).toMatchObject({ total_count: 12, count: 10 });
  expect(first.data[0]).toEqual({ key: "k00", value: 0, updated_at: at });
  const rest = (await values(`?after=${first.page_info.end_cursor}&include=value`)).body;
  expect(rest.data).toEqual([{ value: 10 }, { value: 11 }]);
});

test("S62 a value is written, read and deleted over REST, and the next run reads it", async () => {
  const { id } = await deploy(`this.$emit(await this.store.get("cursor"))`);
  const written = await value("PUT", "cursor", { value: { page: 4 } });
  expect([written.status, written.body]).toEqual([200, { data: { key: "cursor", value: { page: 4 } } }]);
  expect((await value("GET", "cursor")).body).toEqual(written.body);
  await service.run(id);
  expect((await value("DELETE", "cursor")).status).toBe(204);
  expect((await value("DELETE", "cursor")).status).toBe(404);
  expect((await value("GET", "cursor")).status).toBe(404);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([{ page: 4 }, null]);
});

test("S62 a data store is deleted with all its values, and the source goes on", async () => {
  const { id } = await deploy(count);
  await service.run(id);
  const remove = (): Promise<Reply<unknown>> => service.call("DELETE", `/data_stores/${store}`);
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
  expect((await list()).map(({ name }) => name)).not.toContain(store);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 1]);
});

test("S62 keys of every kind are stored unchanged", async () => {
  const keys = ["a/b", "\u00fc %", "__proto__", "constructor", "a:b", "$x", "0", "\u{1F600}", "x".repeat(512)];
  const { id } = await deploy(`for (const key of event) await this.store.set(key, { __proto__: null, [key]: "\\0" });
    this.$emit(await this.store.keys())`);
  await service.run(id, keys);
  expect(await service.emitted(id)).toEqual([keys.toSorted()]);
  expect([...((await stored()) as Map<string, unknown>).keys()]).toEqual(keys.toSorted());
  for (const key of keys) expect((await value("DELETE", key)).status, key).toBe(204);
});

test("S62 limits are those of a db, and are refused over REST as well", async () => {
  const refusals: [string, string, unknown][] = [
    ["db_value_too_large", "k", "x".repeat(61 * 1024)],
    ["invalid_parameter", "x".repeat(513), 1],
    ["invalid_parameter", "\u00fc".repeat(300), 1],
  ];
  for (const [error, key, given] of refusals) {
    const reply = await service.call("PUT", `/data_stores/${store}/values/${encodeURIComponent(key)}`, {
      value: given,
    });
    expect([reply.status, reply.body.code], key.slice(0, 9)).toEqual([400, error]);
  }
  const large = "x".repeat(60 * 1024 - 2);
  for (let n = 0; n < 17; n += 1) expect((await value("PUT", `k${n}`, { value: large })).status).toBe(200);
  const full = await service.call("PUT", `/data_stores/${store}/values/more`, { value: large });
  expect([full.status, full.body.code]).toEqual([400, "data_store_too_large"]);
  expect(full.body.error).toMatch(
    /^Data store "store-\d+" may have at most 1048576 bytes, this write makes it 11\d{5}\.$/,
  );
  const unnamed = await service.call("PUT", "/data_stores/a%20b/values/k", { value: 1 });
  expect([unnamed.status, unnamed.body.details.parameter]).toEqual([400, "name"]);
});

test("S62 a run that fails writes nothing to data stores, where what it wrote to its db stays", async () => {
  const { id } = await deploy(`await this.store.set("a", 1); this.db.set("a", 1); throw new Error("broken")`);
  await service.run(id);
  expect(await stored()).toEqual(new Map());
  expect((await service.call<List<Entry>>("GET", `/sources/${id}/db`)).body.data).toMatchObject([{ key: "a" }]);
});

test("S62 sources that write the same key at the same time leave the value of one of them", async () => {
  const sources = await Promise.all(
    [0, 1, 2, 3].map(() => deploy(`for (const key of ["a", "b"]) await this.store.set(key, event)`)),
  );
  await Promise.all(sources.map(({ id }) => service.run(id, id)));
  const [a, b] = [...((await stored()) as Map<string, unknown>).values()];
  expect(sources.map(({ id }) => id)).toContain(a);
  expect(b).toBe(a);
});

describe("S62 data stores in a data file", () => {
  test("keep what was committed, over a restart and a deleted source", async () => {
    const data = await mkdtemp(join(tmpdir(), "x-data-store-"));
    try {
      const first = await startService({ data });
      const one = await first.deploy(code(count), { store: "shared" });
      await first.run(one.id);
      await first.call("DELETE", `/sources/${one.id}`);
      await first[Symbol.asyncDispose]();
      const second = await startService({ data });
      const two = await second.deploy(code(count), { store: "shared" });
      await second.run(two.id);
      expect(await second.emitted(two.id)).toEqual([2]);
      await second[Symbol.asyncDispose]();
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  });
});
