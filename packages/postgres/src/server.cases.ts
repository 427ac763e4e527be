import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";

import { Client } from "pg";

/** The server of the tests; they make a schema of their own each. */
export const serverUrl: string = `postgres://${userInfo().username}@127.0.0.1:5432/test`;

/** Runs one statement on a connection of its own. */
export async function runSql(text: string, values: unknown[] = []): Promise<readonly { [column: string]: unknown }[]> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    return (await client.query<{ [column: string]: unknown }>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function findReason(): Promise<string | undefined> {
  try {
    await runSql("SELECT 1");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message || String(Object(error).code) : String(error);
  }
}

/** Why these tests cannot run; undefined when a server answers. Printed once. */
export async function missingServer(): Promise<string | undefined> {
  const reason = await findReason();
  if (reason !== undefined) process.stderr.write(`skipped: no PostgreSQL answers at ${serverUrl} (${reason})\n`);
  return reason;
}

export const newSchema = (): string => `t_${randomBytes(8).toString("hex")}`;

export const dropSchema = async (schema: string): Promise<void> => {
  await runSql(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
};

/** Empties a schema that no store uses: much faster than a new one. */
export async function emptySchema(schema: string): Promise<void> {
  const tables = await runSql("SELECT tablename AS name FROM pg_tables WHERE schemaname = $1", [schema]);
  const names = tables.map(({ name }) => String(name)).filter((name) => !/^(?:schema_version|slot)$/.test(name));
  await runSql(names.map((name) => `DELETE FROM "${schema}"."${name}"`).join("; "));
}
