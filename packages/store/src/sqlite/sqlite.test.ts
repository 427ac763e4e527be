import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, describe, expect, test } from "vitest";

import { type OpenedStore, storeConformance } from "../conformance/conformance.cases.ts";
import type { Page } from "../../../model/src/model.ts";
import type { Change, Store } from "../contract.ts";
import {
  addDelivery,
  addEvent,
  addTrigger,
  exampleComponent,
  exampleDelivery,
  exampleEvent,
  exampleLock,
  exampleSource,
  exampleTexts,
  exampleTrigger,
  exampleWebhook,
  putSource,
  setValue,
} from "../conformance/examples.cases.ts";
import { migrate, migrations, schemaVersion } from "./schema.ts";
import { openSqliteStore } from "./sqlite.ts";

const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "x-store-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The rules are tried on one store after another test has emptied it: a writer thread starts longer than a test takes. */
const kept = mkdtempSync(join(tmpdir(), "x-store-"));
let keptStore: Store | undefined;
afterAll(async () => {
  await keptStore?.close();
  rmSync(kept, { recursive: true });
});

function emptyTables(): void {
  const database = new DatabaseSync(join(kept, "x.db"));
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  database.exec(`BEGIN; ${tables.map(({ name }) => `DELETE FROM ${String(name)}`).join("; ")}; COMMIT`);
  database.close();
}

storeConformance("sqlite", async (): Promise<OpenedStore> => {
  const store = (keptStore ??= await openSqliteStore({ folder: kept }));
  const dispose = async (): Promise<void> => {
    const isOpen = await store.users().then(
      () => true,
      () => false,
    );
    if (!isOpen) keptStore = undefined;
    emptyTables();
  };
  return { store, dispose };
});

describe("sqlite data folder", () => {
  test("migrating components that hold their texts keeps every row, with compressed and shared texts", async () => {
    const folder = makeFolder();
    const file = join(folder, "x.db");
    const database = new DatabaseSync(file);
    migrate(database, migrations.slice(0, 5));
    const add = database.prepare(
      "INSERT INTO component (id, user_id, key, content_hash, record) VALUES (?, ?, ?, ?, ?)",
    );
    const library = Array.from({ length: 20_000 }, (_, n) => `var v${n} = ${n * 7919};`).join("\n");
    const former = Array.from({ length: 12 }, (_, n) => {
      const { texts: _texts, ...record } = exampleComponent(`sc_${n}`, {
        ...(n % 3 > 0 && {
          packageLock: exampleLock(`${n % 3}.0.0`),
          packages: [{ name: "it", version: "1.0.0", integrity: null }],
        }),
      });
      const bundle = n % 3 > 0 ? `${library}\n// ${n}` : `module.exports = ${n}`;
      return { ...record, ...exampleTexts({ code: "export default {} // \0 \uD800", bundle }) };
    });
    for (const each of former)
      add.run(each.id, each.userId, each.shape.key ?? null, each.contentHash, JSON.stringify(each));
    database.close();
    const before = statSync(file).size;

    const store = await openSqliteStore({ folder });
    for (const { code, bundle, sourceMap, ...record } of former) {
      const component = await store.component(record.id);
      expect(component).toEqual({ ...record, texts: component?.texts });
      const { texts } = component ?? exampleComponent("none");
      expect(await store.text(texts.code)).toBe(code);
      expect(await store.text(texts.bundle)).toBe(bundle);
      expect(await store.text(texts.sourceMap)).toBe(sourceMap);
    }
    expect((await store.componentByContent("u_1", "content-of-sc_3"))?.id).toBe("sc_3");
    await store.close();
    expect(statSync(file).size).toBeLessThan(before / 5);
  });

  test("committed records are there after a reopen, in the same order", async () => {
    const folder = makeFolder();
    const first = await openSqliteStore({ folder });
    await first.commit([
      putSource(exampleSource("dc_b")),
      putSource(exampleSource("dc_a")),
      addEvent(exampleEvent(9, 0)),
      addEvent(exampleEvent(10, 0)),
      { op: "source.delete", id: "dc_a" },
    ]);
    await first.close();
    const second = await openSqliteStore({ folder });
    await second.commit([putSource(exampleSource("dc_c"))]);
    const sources = await second.sources("u_1", { limit: 10 });
    expect(sources.items.map((source) => source.id)).toEqual(["dc_c", "dc_b"]);
    expect((await second.sources("u_1", { limit: 10, after: "dc_a" })).items.map(({ id }) => id)).toEqual(["dc_b"]);
    expect((await second.events("dc_1", "emits", { limit: 10, retention: 10 })).items[0]?.id.ms).toBe(10);
    expect((await second.sourceState("dc_1")).heads).toEqual({ emits: { ms: 10, seq: 0 } });
    await second.close();
  });

  test("S24 a clean close unmarks running triggers, so that no crash is counted", async () => {
    const folder = makeFolder();
    const first = await openSqliteStore({ folder });
    await first.commit([addTrigger(exampleTrigger("t_1"), true)]);
    await first.close();
    const second = await openSqliteStore({ folder });
    expect((await second.recoverTriggers()).map((trigger) => trigger.crashes)).toEqual([0]);
    await second.close();
  });

  test("S24 a store whose last commit fails still closes; running triggers count as crashed", async () => {
    const folder = makeFolder();
    const store = await openSqliteStore({ folder, busyTimeoutMs: 1 });
    await store.commit([addTrigger(exampleTrigger("t_1"), true)]);
    const other = new DatabaseSync(join(folder, "x.db"));
    other.exec("BEGIN IMMEDIATE");
    await store.close();
    other.close();
    const next = await openSqliteStore({ folder });
    expect((await next.recoverTriggers()).map(({ id, crashes }) => [id, crashes])).toEqual([["t_1", 1]]);
    await next.close();
  });

  test("only the owner may read the folder and its files", async () => {
    const folder = join(makeFolder(), "made", "deep");
    const store = await openSqliteStore({ folder });
    await store.commit([putSource(exampleSource("dc_1"))]);
    const modes = ["", "x.db", "x.db-wal", "x.lock"].map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
    await store.close();
  });

  test("the head of a trigger has the size of its whole event and its share of a shared event", async () => {
    const folder = makeFolder();
    const store = await openSqliteStore({ folder });
    const payload = JSON.stringify("ü".repeat(5_000));
    const event = exampleEvent(1, 0, { payload });
    const own = exampleTrigger("t_own", { event: "{}" });
    await store.commit([
      addEvent(event),
      { op: "trigger.add", trigger: exampleTrigger("t_1", { event: payload }), running: false, emitId: event.emitId },
      { op: "trigger.add", trigger: own, running: false },
    ]);
    const sizes = (await store.triggers("dc_1")).map(({ id, bytes, wholeBytes = bytes }) => [id, bytes, wholeBytes]);
    // The event and the trigger have it in common.
    expect(sizes).toEqual([
      ["t_1", 5_001, 10_002],
      ["t_own", 2, 2],
    ]);
    await store.close();
  });

  test("unused payloads are deleted", async () => {
    const folder = makeFolder();
    const store = await openSqliteStore({ folder });
    const payload = JSON.stringify("x".repeat(5_000));
    const event = exampleEvent(1, 0, { payload });
    const { emitId, emitterId } = event;
    await store.commit([
      addEvent(event),
      { op: "trigger.add", trigger: exampleTrigger("t_1", { event: payload }), running: false, emitId },
      addDelivery(exampleDelivery("dlv_1", { webhookId: "wh_1", emitId, emitterId, payload })),
    ]);
    const file = new DatabaseSync(join(folder, "x.db"));
    const uses = (): unknown => file.prepare("SELECT uses FROM shared_payload").get()?.["uses"];
    expect(uses()).toBe(3);
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    expect(uses()).toBe(1);
    await store.commit([{ op: "webhook.delete", id: "wh_1" }]);
    expect(uses()).toBeUndefined();
    file.close();
    await store.close();
  });

  test("a source is deleted with all its rows, however many there are, and no others", async () => {
    const folder = makeFolder();
    const store = await openSqliteStore({ folder });
    const numbers = Array.from({ length: 2_345 }, (_, number) => number);
    const rowsOf = (sourceId: string): Change[] => [
      putSource(exampleSource(sourceId)),
      ...numbers.flatMap((n) => [
        addTrigger(exampleTrigger(`${sourceId}_${n}`, { sourceId })),
        addEvent(exampleEvent(1, n, { emitterId: sourceId })),
        setValue(sourceId, `key${n}`, String(n)),
      ]),
    ];
    await store.commit([...rowsOf("dc_1"), ...rowsOf("dc_2")]);
    await store.commit([{ op: "source.delete", id: "dc_1" }]);
    await store.close();
    const database = new DatabaseSync(join(folder, "x.db"), { readOnly: true });
    const count = (table: string, owner: string) =>
      database.prepare(`SELECT ${owner} AS source, count(*) AS rows FROM ${table} GROUP BY 1`).all();
    const left = [{ source: "dc_2", rows: numbers.length }];
    expect([count("inbox", "source_id"), count("event", "emitter_id"), count("kv", "source_id")]).toEqual([
      left,
      left,
      left,
    ]);
    database.close();
  });

  test("migrating an older schema keeps all rows", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database);
    database.exec("INSERT INTO user (id, api_key, record) VALUES ('u_1', 'k', '{}')");
    migrate(database, [...migrations, "ALTER TABLE user ADD COLUMN extra TEXT NOT NULL DEFAULT 'new'"]);
    expect(schemaVersion(database)).toBe(migrations.length + 1);
    expect(database.prepare("SELECT extra FROM user").get()?.["extra"]).toBe("new");
    database.close();
  });

  test("a folder of the first schema keeps its records, and stores subscriptions and deliveries", async () => {
    const folder = makeFolder();
    const old = new DatabaseSync(join(folder, "x.db"));
    migrate(old, migrations.slice(0, 1));
    old.exec("INSERT INTO user (id, api_key, record) VALUES ('u_1', 'k', '{\"id\":\"u_1\"}')");
    old.exec(`INSERT INTO inbox (id, source_id, type, at, crashes, hops, running, event)
      VALUES ('t_1', 'dc_1', 'TIMER', 1, 0, 0, 0, '{}')`);
    old.close();
    const store = await openSqliteStore({ folder });
    expect(await store.user("u_1")).toEqual({ id: "u_1" });
    const bare = { id: "t_1", sourceId: "dc_1", type: "TIMER", event: "{}", at: 1, crashes: 0, hops: 0 };
    expect(await store.trigger("t_1")).toEqual(bare);
    expect((await store.triggers()).map(({ bytes }) => bytes)).toEqual([2]);
    await store.commit([{ op: "webhook.put", webhook: exampleWebhook("wh_1") }, addDelivery(exampleDelivery("dlv_1"))]);
    expect(await store.nextDelivery("wh_1", "dc_1")).toEqual({ delivery: exampleDelivery("dlv_1"), isLast: true });
    await store.close();
  });

  test("renaming places to positions keeps the order of lists and the cursors of deleted sources", async () => {
    const folder = makeFolder();
    const old = new DatabaseSync(join(folder, "x.db"));
    migrate(old, migrations.slice(0, 8));
    for (const id of ["dc_b", "dc_a"])
      old
        .prepare("INSERT INTO source (id, user_id, name_slug, record) VALUES (?, 'u_1', ?, ?)")
        .run(id, id, JSON.stringify(exampleSource(id)));
    old.exec("INSERT INTO source_place (id, place, user_id) VALUES ('dc_gone', 2, 'u_1')");
    old.close();
    const store = await openSqliteStore({ folder });
    const idsOf = async (page: Page): Promise<string[]> => (await store.sources("u_1", page)).items.map(({ id }) => id);
    expect(await idsOf({ limit: 10 })).toEqual(["dc_a", "dc_b"]);
    expect(await idsOf({ limit: 10, after: "dc_gone" })).toEqual(["dc_b"]);
    await store.commit([{ op: "source.delete", id: "dc_b" }, putSource(exampleSource("dc_c"))]);
    expect(await idsOf({ limit: 10, before: "dc_b" })).toEqual(["dc_c", "dc_a"]);
    await store.close();
  });

  test("a failed migration does not change the version of the file", () => {
    const database = new DatabaseSync(":memory:");
    migrate(database);
    const broken = [...migrations, "CREATE TABLE half (a); CREATE TABLE user (a)"];
    expect(() => migrate(database, broken)).toThrow("user");
    expect(schemaVersion(database)).toBe(migrations.length);
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
    database.close();
  });
});
