import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";

import { exampleTrigger, setValue } from "../conformance/examples.cases.ts";
import { backupData } from "./backup.ts";
import { openSqliteStore } from "./sqlite.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function rowsOf(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

const large = JSON.stringify("x".repeat(50_000));

test("commits go on between the slices of a backup, which has the state of its start", async () => {
  const [data, place] = [makeFolder(), makeFolder()];
  const file = join(place, "copy.db");
  const store = await openSqliteStore({ folder: data });
  await store.commit(Array.from({ length: 200 }, (_, n) => setValue("dc_1", `before ${n}`, large)));
  const committed: Promise<void>[] = [];
  const slices: number[] = [];
  const made = await backupData({
    data,
    file,
    onProgress({ copiedPages, pages }) {
      expect(copiedPages).toBeLessThanOrEqual(pages);
      slices.push(copiedPages);
      committed.push(store.commit([setValue("dc_1", `during ${slices.length}`, large)]));
    },
  });
  await Promise.all(committed);
  expect(slices.length).toBeGreaterThan(5);
  expect(slices).toEqual(slices.toSorted((one, other) => one - other));
  expect((await store.db("dc_1")).size).toBe(200 + slices.length);
  expect(rowsOf(file, "SELECT count(*) AS n FROM kv")).toEqual([{ n: 200 }]);
  expect(made).toEqual({ bytes: statSync(file).size, key: "none" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(place)).toEqual(["copy.db"]);
  await store.close();
});

test("work that ran during the backup has not crashed, and the store of the folder is as it was", async () => {
  const data = makeFolder();
  const file = join(makeFolder(), "copy.db");
  const store = await openSqliteStore({ folder: data });
  await store.commit([{ op: "trigger.add", trigger: exampleTrigger("t_1"), running: true }]);
  await backupData({ data, file });
  const running = "SELECT running FROM inbox";
  expect([rowsOf(file, running), rowsOf(join(data, "x.db"), running)]).toEqual([[{ running: 0 }], [{ running: 1 }]]);
  await store.close();
});

test("a folder that no process uses is backed up with what its log has, after a kill too", async () => {
  const [data, killed] = [makeFolder(), makeFolder()];
  const store = await openSqliteStore({ folder: data });
  await store.commit([setValue("dc_1", "k", "1")]);
  // As after a kill: the commit is in the log alone.
  for (const name of ["x.db", "x.db-wal"]) writeFileSync(join(killed, name), readFileSync(join(data, name)));
  await store.close();
  const file = join(makeFolder(), "copy.db");
  await backupData({ data: killed, file });
  expect(rowsOf(file, "SELECT value FROM kv")).toEqual([{ value: "1" }]);
});

test("nothing is replaced, and what cannot be copied leaves nothing behind", async () => {
  const [data, place] = [makeFolder(), makeFolder()];
  await expect(backupData({ data, file: join(place, "a.db") })).rejects.toMatchObject({ code: "invalid_options" });
  const store = await openSqliteStore({ folder: data });
  await store.commit(Array.from({ length: 40 }, (_, n) => setValue("dc_1", `k${n}`, large)));
  await store.close();
  writeFileSync(join(place, "there"), "mine");
  await expect(backupData({ data, file: join(place, "there") })).rejects.toThrow("does not exist");
  expect(readFileSync(join(place, "there"), "utf8")).toBe("mine");
  await expect(backupData({ data, file: join(place, "no/folder") })).rejects.toMatchObject({ code: "store_failed" });

  const bytes = readFileSync(join(data, "x.db"));
  bytes.fill(0xff, 40 * 4096, 60 * 4096);
  writeFileSync(join(data, "x.db"), bytes);
  await expect(backupData({ data, file: join(place, "b.db") })).rejects.toMatchObject({ code: "store_corrupt" });
  expect(readdirSync(place)).toEqual(["there"]);
  expect(existsSync(join(data, "x.lock"))).toBe(true);
});
