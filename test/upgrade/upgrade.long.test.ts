import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { zstdDecompressSync } from "node:zlib";

import { describe, expect, onTestFinished, test } from "vitest";

import { migrations } from "../../packages/store/src/sqlite/schema.ts";
import { openSqliteStore } from "../../packages/store/src/sqlite/sqlite.ts";
import { continueService, type Expected, expectToGoOn } from "./former-service.ts";

/** Data folders as services of former commits left them: `scripts/upgrade-fixtures.sh`. */
const fixtures = fileURLToPath(new URL("data", import.meta.url));
const versions = readdirSync(fixtures).toSorted();

function unpack(version: string): { readonly data: string; readonly expected: Expected } {
  const data = mkdtempSync(join(tmpdir(), "x-upgrade-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const from = join(fixtures, version);
  writeFileSync(join(data, "x.db"), zstdDecompressSync(readFileSync(join(from, "x.db.zst"))));
  if (existsSync(join(from, "x.key"))) copyFileSync(join(from, "x.key"), join(data, "x.key"));
  return { data, expected: JSON.parse(readFileSync(join(from, "expected.json"), "utf8")) as Expected };
}

type Row = Readonly<Record<string, unknown>>;

/** All rows of all tables. */
function rowsIn(data: string): ReadonlyMap<string, readonly Row[]> {
  const database = new DatabaseSync(join(data, "x.db"));
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    return new Map(
      tables.all().map(({ name }) => [String(name), database.prepare(`SELECT * FROM ${String(name)}`).all()]),
    );
  } finally {
    database.close();
  }
}

/** A row with the names of today. */
const renamed = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column === "place" ? "position" : column, value]));

const tableToday = (table: string): string => (table === "source_place" ? "list_position" : table);

/** The record of a component; its texts had been in it, and the answers below have them. */
function componentOf(row: Row | undefined): Row {
  const { code: _code, bundle: _bundle, sourceMap: _map, ...record } = JSON.parse(String(row?.["record"])) as Row;
  return record;
}

test("there is a data folder of every schema version that a commit left, but the one that this release writes", () => {
  const numbers = versions.map((version) => Number(version.slice(1)));
  expect(numbers.slice(0, 4)).toEqual([1, 2, 5, 6]);
  expect(numbers.slice(3)).toEqual(numbers.slice(3).map((_, index) => 6 + index));
  expect(numbers.at(-1)).toBeGreaterThanOrEqual(migrations.length - 1);
});

describe.each(versions)("data of schema %s", (version) => {
  test("keeps every row when it is updated", async () => {
    const { data } = unpack(version);
    const before = rowsIn(data);
    const all = [...before.values()].flat().length;
    expect(all).toBeGreaterThan(15);
    await (await openSqliteStore({ folder: data })).close();
    const after = rowsIn(data);
    for (const [table, rows] of before) {
      const now = after.get(tableToday(table)) ?? [];
      expect(now.length, table).toBe(rows.length);
      for (const row of rows.map(renamed)) {
        const { record, ...columns } = row;
        const same = now.find((each) =>
          Object.entries(columns).every(([name, value]) => Object.is(each[name], value) || ArrayBuffer.isView(value)),
        );
        expect(same, `${table} ${JSON.stringify(columns)}`).toBeDefined();
        const known = table === "component" ? componentOf(row) : { record };
        const kept = table === "component" ? componentOf(same) : { record: same?.["record"] };
        expect(kept, table).toMatchObject(known);
      }
    }
  });

  test("answers as it did, with its secrets, and its sources go on where they were", async () => {
    const { data, expected } = unpack(version);
    await using service = await continueService(expected, { data });
    await expectToGoOn(service, expected);
    expect((await service.events()).length).toBe(6);
  });
});
