import { join } from "node:path";

import { XError } from "@x/model";
import { storeError } from "../failure.ts";
import { readLossless } from "../lossless-text.ts";
import { createBatch, type MovedRow, type MovedTable, type MovedValue, type RowSource } from "../move/moved-tables.ts";
import { readSealing } from "./backup.ts";
import { checkHeader, openDataFile } from "./data-file.ts";
import { lockFolder } from "./lock.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { unpackText } from "./packed-text.ts";
import { migrations, schemaVersion } from "./schema.ts";

const busyTimeoutMs = 5_000;
const checkedBytes = 64 * 1024 * 1024;

const sharedBytes = (table: string): string =>
  `CASE ${table}.shared WHEN 0 THEN octet_length(${table}.payload)
    ELSE (SELECT octet_length(payload) FROM shared_payload WHERE shared_payload.emit_id = ${table}.emit_id) END`;

/** Values that have no column of their own here, or one that says something else. */
const computed: ReadonlyMap<string, string> = new Map([
  ["event.bytes", sharedBytes("event")],
  ["delivery.bytes", sharedBytes("delivery")],
  ["shared_payload.bytes", "octet_length(payload)"],
  ["source.component_id", "json_extract(record, '$.componentId')"],
  ["inbox.running", "0"],
  ["transition.running", "0"],
  ["text.text", "data"],
]);

type Decode = (value: MovedValue) => MovedValue;

/** How a column is read when its stored form is not its value. */
function decoderOf(database: DatabaseSync, column: string): Decode | undefined {
  if (column === "event.dedupe_id") return (value) => (value === null ? null : readLossless(String(value)));
  if (column !== "text.text") return undefined;
  const find = database.prepare("SELECT data FROM text WHERE hash = ?");
  const findBase = (hash: string): Uint8Array => find.get(hash)?.["data"] as Uint8Array;
  return (value) => unpackText(value as Uint8Array, findBase);
}

async function* readBatches(
  database: DatabaseSync,
  table: MovedTable,
  wrap: (error: unknown) => unknown,
): AsyncGenerator<readonly MovedRow[]> {
  const names = table.columns.map(({ name }) => `${table.name}.${name}`);
  const values = names.map((name, index) => `${computed.get(name) ?? name} AS c${index}`);
  const decoders = names.map((name) => decoderOf(database, name));
  const batch = createBatch();
  try {
    const sql = `SELECT ${values.join(", ")} FROM ${table.name} ORDER BY ${table.order.map((name) => `${table.name}.${name}`).join(", ")}`;
    for (const row of database.prepare(sql).iterate()) {
      batch.add(
        decoders.map((decode, index) => {
          const value = row[`c${index}`] as MovedValue;
          return decode ? decode(value) : value;
        }),
      );
      if (batch.isFull()) yield batch.take();
    }
  } catch (error) {
    throw wrap(error);
  }
  const rest = batch.take();
  if (rest.length > 0) yield rest;
}

/** Locks the folder and updates its tables; undefined while a service uses it. */
function lockAndUpdate(folder: string, file: string): (() => void) | undefined {
  let unlock: () => void;
  try {
    unlock = lockFolder(folder);
  } catch (error) {
    if (XError.is(error) && error.code === "store_locked") return undefined;
    throw error;
  }
  try {
    openDataFile(file, { busyTimeoutMs, checkedBytes }).close();
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens one state of a data folder; a service may be running on it. Rejects as a start of a service does. */
export async function openFolderRows(folder: string): Promise<RowSource> {
  const file = join(folder, "x.db");
  const wrap = (error: unknown): XError => storeError(file, "read the data file", error);
  let unlock: (() => void) | undefined;
  let database: DatabaseSync | undefined;
  try {
    unlock = lockAndUpdate(folder, file);
    const opened = new DatabaseSync(file, { readOnly: true });
    database = opened;
    opened.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    checkHeader(opened, file);
    if (schemaVersion(opened) < migrations.length) {
      const expected = "a folder that no older release has open; stop the service, or export with its own release";
      throw new XError("invalid_options", ["data", expected, folder]);
    }
    // From here on, one state.
    opened.exec("BEGIN");
    const sealing = readSealing(opened);
    return {
      name: folder,
      isInUse: unlock === undefined,
      sealing,
      batches: (table) => readBatches(opened, table, wrap),
      async close() {
        opened.close();
        unlock?.();
      },
    };
  } catch (error) {
    database?.close();
    unlock?.();
    throw wrap(error);
  }
}
