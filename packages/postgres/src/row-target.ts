import { checkOptions, XError } from "@x/runtime";
import {
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  movedTables,
  type MovedType,
  type MovedValue,
  type RowTarget,
  type RowValue,
} from "@x/runtime/store";

import { arrayLiteral } from "./array-literal.ts";
import { type PgClient, takeClient } from "./driver.ts";
import { storeError } from "./failure.ts";
import { migrate } from "./migrate.ts";
import { packText } from "./packed-text.ts";
import type { Namespace } from "./namespace.ts";
import { optionRules, poolOf, type PostgresOptions } from "./postgres.ts";

const typeNames: { readonly [type in MovedType]: string } = {
  text: "text",
  integer: "int8",
  real: "float8",
  flag: "bool",
  bytes: "bytea",
};

/** The column of a value, where its name differs. */
const isText = (table: MovedTable, { name }: MovedColumn): boolean => table.name === "text" && name === "text";

function encode(table: MovedTable, column: MovedColumn, value: MovedValue): RowValue {
  if (value === null) return null;
  if (isText(table, column)) return packText(String(value));
  return column.type === "flag" ? value === 1 : value;
}

async function insertRows(
  client: PgClient,
  { qualify }: Namespace,
  table: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  const { columns } = table;
  const names = columns.map((column) => (isText(table, column) ? "data" : column.name));
  const types = columns.map((column) => (isText(table, column) ? "bytea" : typeNames[column.type]));
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`).join(", ");
  const given = names.map((_, index) => `c${index}`).join(", ");
  await client.query({
    text: qualify(
      `INSERT INTO @${table.name} (${names.join(", ")}) OVERRIDING SYSTEM VALUE
        SELECT ${given} FROM unnest(${arrays}) WITH ORDINALITY AS r (${given}, n) ORDER BY n`,
    ),
    values: columns.map((column, index) => arrayLiteral(rows.map((row) => encode(table, column, row[index] ?? null)))),
  });
}

/** New positions follow those of everything that was ever listed, also of what was deleted. */
async function moveSequences(client: PgClient, { qualify }: Namespace): Promise<void> {
  const positioned = movedTables.filter(({ name, columns }) => {
    return name !== "list_position" && columns.some((column) => column.name === "position");
  });
  for (const { name } of positioned) {
    await client.query({
      text: qualify(
        `SELECT setval(pg_get_serial_sequence('@${name}', 'position'), greatest(1,
          (SELECT max(position) FROM @${name}), (SELECT max(position) FROM @list_position)))`,
      ),
    });
  }
}

/** Takes the lock of the schema, and refuses one that has data. */
async function begin(client: PgClient, namespace: Namespace): Promise<void> {
  await client.query({ text: "BEGIN" });
  const lock = `SELECT pg_try_advisory_xact_lock(${namespace.lockKey("service")}) AS taken`;
  const [locked] = (await client.query({ text: lock })).rows as readonly { readonly taken: boolean }[];
  if (!locked?.taken) throw new XError("store_locked", [namespace.name]);
  for (const { name } of movedTables) {
    const { rows } = await client.query({ text: namespace.qualify(`SELECT 1 FROM @${name} LIMIT 1`) });
    if (rows.length > 0) throw new XError("invalid_options", ["schema", "an empty one", `one with data (${name})`]);
  }
}

/**
 * Opens an empty schema for `importData`, and creates it if it does not exist. It is filled in one transaction. Rejects with
 * `store_locked` while a service uses the schema, with `invalid_options` when it has data, and as `openPostgres` does.
 */
export async function openPostgresTarget(options: PostgresOptions): Promise<RowTarget> {
  checkOptions(options, optionRules);
  const { pool, namespace, endPool } = poolOf(options);
  let client: PgClient | undefined;
  const end = async (): Promise<void> => {
    // A transaction that was not committed ends with its connection.
    client?.release(true);
    await endPool();
  };
  const attempt = async (action: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      throw storeError(action, error);
    }
  };
  try {
    const opened = await takeClient(pool);
    client = opened;
    await attempt("open the schema", async () => {
      await migrate(opened, namespace);
      await begin(opened, namespace);
    });
    return {
      name: namespace.name,
      write: (table, rows) => attempt("fill the schema", () => insertRows(opened, namespace, table, rows)),
      async finish(sealing) {
        await attempt("fill the schema", async () => {
          const text = namespace.qualify("INSERT INTO @sealing (id, record) VALUES (1, $1)");
          await opened.query({ text, values: [JSON.stringify(sealing)] });
          await moveSequences(opened, namespace);
          await opened.query({ text: "COMMIT" });
        });
        await end();
      },
      abandon: end,
    };
  } catch (error) {
    await end();
    throw storeError("open the schema", error);
  }
}
