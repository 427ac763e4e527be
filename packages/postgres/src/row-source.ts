import { checkOptions } from "@x/runtime";
import {
  createBatch,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type MovedValue,
  type RowSource,
  type Sealing,
} from "@x/runtime/store";

import { parsers, type PgClient, takeClient } from "./driver.ts";
import { storeError } from "./failure.ts";
import { unpackText } from "./packed-text.ts";
import type { Namespace } from "./namespace.ts";
import { optionRules, poolOf, type PostgresOptions } from "./postgres.ts";
import { checkSchema } from "./migrate.ts";

/** Values of which the stored form says something else. */
const computed: ReadonlyMap<string, string> = new Map([
  ["inbox.running", "false"],
  ["transition.running", "false"],
  ["text.text", "data"],
]);

/** Rows that are fetched at once: few, until their size is known. */
const fetchBytes = 4 * 1024 * 1024;
const fetchRows = 500;

const sizeOf = (row: Readonly<Record<string, unknown>>): number =>
  Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === "string" || value instanceof Uint8Array ? value.length : 8),
    1,
  );

function decode({ type, name }: MovedColumn, value: unknown): MovedValue {
  if (type === "flag") return value === true ? 1 : 0;
  if (name === "text" && value instanceof Uint8Array) return unpackText(value);
  return value as MovedValue;
}

/** Reads a table with a cursor of the transaction. */
async function* readBatches(
  client: PgClient,
  { qualify }: Namespace,
  table: MovedTable,
): AsyncGenerator<readonly MovedRow[]> {
  const columns = table.columns.map(({ name }) => computed.get(`${table.name}.${name}`) ?? name);
  const values = columns.map((column, index) => `${column} AS c${index}`).join(", ");
  const select = qualify(`SELECT ${values} FROM @${table.name} ORDER BY ${table.order.join(", ")}`);
  await client.query({ text: `DECLARE moved NO SCROLL CURSOR FOR ${select}` });
  const batch = createBatch();
  let largest = fetchBytes;
  for (let count = 1; ; count = Math.max(1, Math.min(fetchRows, 2 * count, Math.floor(fetchBytes / largest)))) {
    const result = await client.query({ text: `FETCH ${count} FROM moved`, types: parsers });
    const rows = result.rows as readonly Readonly<Record<string, unknown>>[];
    if (count === 1) largest = 1;
    for (const row of rows) {
      largest = Math.max(largest, sizeOf(row));
      batch.add(table.columns.map((column, index) => decode(column, row[`c${index}`])));
      if (batch.isFull()) yield batch.take();
    }
    if (rows.length < count) break;
  }
  const rest = batch.take();
  if (rest.length > 0) yield rest;
  await client.query({ text: "CLOSE moved" });
}

async function* guarded<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw storeError("read the schema", error);
  }
}

/** True while a connection of a service holds its lock. */
export async function isServed(client: PgClient, { lockKey }: Namespace): Promise<boolean> {
  const text = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND (classid::int8 << 32) | objid::int8 = $1::int8`;
  return (await client.query({ text, values: [lockKey("service")] })).rows.length > 0;
}

/** The record that says how secrets are encrypted. */
export async function readSealing(client: PgClient, { qualify }: Namespace): Promise<Sealing | undefined> {
  const found = await client.query({ text: qualify("SELECT record FROM @sealing") });
  const [row] = found.rows as readonly { readonly record: string }[];
  return row && (JSON.parse(row.record) as Sealing);
}

/**
 * Opens one state of a schema for `exportData`; a service may be running on it. Rejects with `invalid_options` when there is no
 * data in the schema, and as `openPostgres` does.
 */
export async function openPostgresRows(options: PostgresOptions): Promise<RowSource> {
  checkOptions(options, optionRules);
  const { pool, namespace, endPool } = poolOf(options);
  let client: PgClient | undefined;
  const end = async (): Promise<void> => {
    // The connection ends with its transaction.
    client?.release(true);
    await endPool();
  };
  try {
    const opened = await takeClient(pool);
    client = opened;
    await opened.query({ text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" });
    await checkSchema(opened, namespace);
    const sealing = await readSealing(opened, namespace);
    return {
      name: namespace.name,
      isInUse: await isServed(opened, namespace),
      sealing,
      batches: (table) => guarded(readBatches(opened, namespace, table)),
      close: end,
    };
  } catch (error) {
    await end();
    throw storeError("read the schema", error);
  }
}
