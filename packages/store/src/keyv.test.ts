import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { KeyvSqlite } from "@keyv/sqlite";
import { Keyv } from "keyv";
import { afterEach, describe, expect, test } from "vitest";

import { createSourceDb, externalDb } from "./keyv.ts";
import { createMemoryStore } from "./memory/memory.ts";
import { openSqliteStore } from "./sqlite/sqlite.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-keyv-"));
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const now = (): number => 1_000;

describe("the db of a source as a Keyv", () => {
  test("R064 R065 `get` returns the set value, undefined for an unset key; null is stored, undefined deletes", async () => {
    const store = createMemoryStore();
    const db = createSourceDb(store, "dc_1", now);
    expect(await db.get("cursor")).toBeUndefined();
    await db.set("cursor", { page: [1, null] });
    expect(await db.get("cursor")).toEqual({ page: [1, null] });
    expect(await store.db("dc_1")).toEqual(new Map([["cursor", '{"page":[1,null]}']]));
    await db.set("cursor", null);
    expect(await db.get("cursor")).toBeNull();
    expect(await db.has("cursor")).toBe(true);
    await db.set("cursor", undefined);
    expect(await db.has("cursor")).toBe(false);
  });

  test("R066 it reads the values of the runtime, and those of no other source", async () => {
    const store = createMemoryStore();
    await store.commit([{ op: "db.set", sourceId: "dc_1", key: "k", value: "[1]", at: 1 }]);
    expect(await createSourceDb(store, "dc_1", now).get("k")).toEqual([1]);
    expect(await createSourceDb(store, "dc_2", now).get("k")).toBeUndefined();
  });

  test("many keys at once, deletion, iteration and clearing work", async () => {
    const store = createMemoryStore();
    const db = createSourceDb(store, "dc_1", now);
    await createSourceDb(store, "dc_2", now).set("other", 1);
    expect(await db.setMany([1, 2, 3].map((n) => ({ key: `k${n}`, value: n })))).toEqual([true, true, true]);
    expect(await db.getMany(["k1", "k9", "k3"])).toEqual([1, undefined, 3]);
    expect(await db.hasMany(["k1", "k9"])).toEqual([true, false]);
    expect([await db.delete("k1"), await db.delete("k1")]).toEqual([true, false]);
    const entries: unknown[] = [];
    for await (const entry of db.iterator()) entries.push(entry);
    expect(entries).toEqual([
      ["k2", 2],
      ["k3", 3],
    ]);
    await db.clear();
    expect(await store.db("dc_1")).toEqual(new Map());
    expect((await store.db("dc_2")).size).toBe(1);
  });

  test("functions, cycles and a time to live are refused", async () => {
    const store = createMemoryStore();
    const db = createSourceDb(store, "dc_1", now);
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    await expect(db.set("k", now)).rejects.toMatchObject({ code: "invalid_parameter" });
    await expect(db.set("k", cycle)).rejects.toThrow("circular");
    await expect(db.set("k", 1, 60_000)).rejects.toMatchObject({ code: "invalid_options" });
    expect(await store.db("dc_1")).toEqual(new Map());
  });

  test("errors of the store reject, also with an error listener", async () => {
    const store = await openSqliteStore({ folder: makeFolder() });
    const db = createSourceDb(store, "dc_1", now);
    await db.set("k", 1);
    expect(await db.get("k")).toBe(1);
    await store.close();
    db.on("error", () => undefined);
    await expect(db.get("k")).rejects.toMatchObject({ code: "closed" });
    await expect(db.set("k", 2)).rejects.toMatchObject({ code: "closed" });
    await expect(db.has("k")).rejects.toMatchObject({ code: "closed" });
    await expect(db.delete("k")).rejects.toMatchObject({ code: "closed" });
  });
});

const content = new Map([
  ["cursor", '"1"'],
  ["__proto__", "{}"],
  ["\u{1F600}", "null"],
]);

describe("dbs in a Keyv of the embedder", () => {
  const sqliteKeyv = (file: string): Keyv => {
    const adapter = new KeyvSqlite({ uri: `sqlite://${file}`, driver: "node:sqlite", busyTimeout: 50 });
    const keyv = new Keyv({ store: adapter });
    cleanups.push(() => keyv.disconnect().catch(() => undefined));
    return keyv;
  };

  test.each([
    ["a map", () => new Keyv({ store: new Map() })],
    ["SQLite", () => sqliteKeyv(join(makeFolder(), "keyv.db"))],
  ])("%s stores a source's whole db as one entry", async (_, make) => {
    const keyv = make();
    const external = externalDb(keyv);
    expect(await external.load("dc_1")).toEqual(new Map());
    await external.flush("dc_1", content);
    await external.flush("dc_2", new Map([["k", "2"]]));
    expect(await external.load("dc_1")).toEqual(content);
    expect(await keyv.get("db:dc_2")).toEqual({ k: "2" });
    await external.delete("dc_1");
    await external.delete("dc_1");
    expect(await external.load("dc_1")).toEqual(new Map());
    expect((await external.load("dc_2")).size).toBe(1);
  });

  test("SQLite keeps it across a restart", async () => {
    const file = join(makeFolder(), "keyv.db");
    const first = sqliteKeyv(file);
    await externalDb(first).flush("dc_1", content);
    await first.disconnect();
    expect(await externalDb(sqliteKeyv(file)).load("dc_1")).toEqual(content);
  });

  // Listening to errors is what makes a Keyv answer "missing" instead of rejecting.
  const listeners = [
    ["no error listener", (keyv: Keyv) => keyv],
    ["an error listener", (keyv: Keyv) => keyv.on("error", () => undefined)],
  ] as const;

  test.each(listeners)("a locked file is store_failed, never a missing key, with %s", async (_, listen) => {
    const file = join(makeFolder(), "keyv.db");
    const keyv = sqliteKeyv(file);
    listen(keyv);
    const external = externalDb(keyv);
    await external.flush("dc_1", content);
    const other = new DatabaseSync(file);
    other.exec("BEGIN EXCLUSIVE");
    await expect(external.load("dc_1")).rejects.toMatchObject({ code: "store_failed" });
    await expect(external.flush("dc_1", new Map())).rejects.toMatchObject({ code: "store_failed" });
    await expect(external.delete("dc_1")).rejects.toMatchObject({ code: "store_failed" });
    other.exec("ROLLBACK");
    other.close();
    expect(await external.load("dc_1")).toEqual(content);
  });

  test.each(listeners)("a damaged file is store_failed, never a missing key, with %s", async (_, listen) => {
    const file = join(makeFolder(), "keyv.db");
    writeFileSync(file, "no database ".repeat(1_000));
    const keyv = sqliteKeyv(file);
    listen(keyv);
    const external = externalDb(keyv);
    await expect(external.load("dc_1")).rejects.toMatchObject({ code: "store_failed" });
    await expect(external.flush("dc_1", content)).rejects.toMatchObject({ code: "store_failed" });
  });

  test.each(listeners)("an adapter that fails is store_failed with its reason, with %s", async (_, listen) => {
    const fail = async (): Promise<never> => {
      throw new Error("connection reset");
    };
    const keyv = new Keyv({ store: { get: fail, set: fail, delete: fail, clear: fail, has: fail } });
    listen(keyv);
    const external = externalDb(keyv);
    const failed = { code: "store_failed", message: expect.stringContaining("db:dc_1: connection reset") };
    await expect(external.load("dc_1")).rejects.toMatchObject(failed);
    await expect(external.flush("dc_1", content)).rejects.toMatchObject(failed);
    await expect(external.delete("dc_1")).rejects.toMatchObject(failed);
  });

  test("an entry of another shape is store_failed, not an empty db", async () => {
    const keyv = new Keyv({ store: new Map() });
    await keyv.set("db:dc_1", { cursor: 1 });
    await keyv.set("db:dc_2", "text");
    const external = externalDb(keyv);
    await expect(external.load("dc_1")).rejects.toMatchObject({ code: "store_failed" });
    await expect(external.load("dc_2")).rejects.toMatchObject({ code: "store_failed" });
  });

  test("a write for which Keyv returns false is store_failed", async () => {
    const external = externalDb({ get: async () => undefined, set: async () => false, delete: async () => true });
    await expect(external.flush("dc_1", content)).rejects.toMatchObject({ code: "store_failed" });
  });
});
