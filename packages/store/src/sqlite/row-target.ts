import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

import type { Component } from "@x/model";
import { componentRows, familyOf } from "../component-rows.ts";
import { storeError } from "../failure.ts";
import { losslessText } from "../lossless-text.ts";
import { columnIndex, type MovedRow, type MovedTable, type RowTarget } from "../move/moved-tables.ts";
import { settleFile } from "./backup.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { createTextPacker, type TextPacker } from "./packed-text.ts";
import { migrate } from "./schema.ts";

/** Notes which texts are similar, because similar texts are stored as differences. */
function createFamilies(database: DatabaseSync) {
  database.exec("CREATE TEMP TABLE family (hash TEXT PRIMARY KEY, family TEXT) WITHOUT ROWID");
  const add = database.prepare("INSERT OR IGNORE INTO temp.family (hash, family) VALUES (?, ?)");
  const find = database.prepare("SELECT family FROM temp.family WHERE hash = ?");
  const findLock = database.prepare("SELECT key FROM package_lock WHERE hash = ?");
  return {
    note(record: string, lock: string | null): void {
      const component = JSON.parse(record) as Component;
      const key = lock === null ? undefined : findLock.get(lock)?.["key"];
      const likeness = key === undefined ? componentRows(component).likeness : String(key);
      for (const name of ["code", "bundle", "sourceMap"] as const)
        add.run(component.texts[name], familyOf(name, likeness));
    },
    familyOf: (hash: string): string | null => (find.get(hash)?.["family"] as string | null | undefined) ?? null,
  };
}

/** Inserts rows of one table after the other. */
function createInserts(database: DatabaseSync): (table: MovedTable, rows: readonly MovedRow[]) => void {
  const families = createFamilies(database);
  const texts: TextPacker = createTextPacker(database);
  const addText = database.prepare("INSERT INTO text (hash, family, data) VALUES (?, ?, ?)");

  function addTexts(table: MovedTable, rows: readonly MovedRow[]): void {
    const [hash, text] = [columnIndex(table, "hash"), columnIndex(table, "text")];
    for (const row of rows) {
      const own = String(row[hash]);
      const packed = texts.pack(own, families.familyOf(own), String(row[text]));
      if (packed) addText.run(...packed);
    }
  }

  return (table, rows) => {
    if (table.name === "text") return addTexts(table, rows);
    const own = new Set(
      database
        .prepare("SELECT name FROM pragma_table_info(?)")
        .all(table.name)
        .map(({ name }) => name),
    );
    const places = table.columns.flatMap(({ name }, index) => (own.has(name) ? [index] : []));
    const names = places.map((index) => table.columns[index]?.name);
    const insert = database.prepare(
      `INSERT INTO ${table.name} (${names.join(", ")}) VALUES (${places.map(() => "?").join(", ")})`,
    );
    const dedupeId = table.name === "event" ? columnIndex(table, "dedupe_id") : -1;
    const [record, lock] = [columnIndex(table, "record"), columnIndex(table, "lock_hash")];
    for (const row of rows) {
      const values = places.map((index) => {
        const value = row[index] ?? null;
        return index === dedupeId && typeof value === "string" ? losslessText(value) : value;
      });
      insert.run(...values);
      if (table.name === "component") families.note(String(row[record]), (row[lock] ?? null) as string | null);
    }
  };
}

/** New positions follow those of everything that was ever listed, also of what was deleted. */
const sequences = `
  INSERT INTO sqlite_sequence (name, seq)
    SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'
      AND name NOT IN (SELECT name FROM sqlite_sequence);
  UPDATE sqlite_sequence SET seq = max(seq, (SELECT coalesce(max(position), 0) FROM list_position));
`;

/** Creates a data file in a locked folder that has none. It gets its name when it is finished. */
export async function openFolderTarget(folder: string): Promise<RowTarget> {
  const [file, draft] = [join(folder, "x.db"), join(folder, "x.db.new")];
  const wrap = (error: unknown): unknown => storeError(file, "write the data file", error);
  const removeDraft = (): void => {
    for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(draft + ending, { force: true });
  };
  removeDraft();
  closeSync(openSync(draft, "wx", 0o600));
  const database = new DatabaseSync(draft);
  let insert: ReturnType<typeof createInserts>;
  try {
    migrate(database);
    // A crash leaves a draft, which is made anew.
    database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE; BEGIN");
    insert = createInserts(database);
  } catch (error) {
    database.close();
    removeDraft();
    throw wrap(error);
  }
  return {
    name: folder,
    async write(table, rows) {
      try {
        insert(table, rows);
      } catch (error) {
        throw wrap(error);
      }
    },
    async finish(sealing) {
      try {
        database.prepare("INSERT INTO sealing (id, record) VALUES (1, ?)").run(JSON.stringify(sealing));
        database.exec(`${sequences}; COMMIT; DROP TABLE temp.family`);
        database.close();
        settleFile(draft, file);
      } catch (error) {
        throw wrap(error);
      }
    },
    async abandon() {
      if (database.isOpen) database.close();
      removeDraft();
    },
  };
}
