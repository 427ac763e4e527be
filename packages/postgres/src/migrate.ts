import { XError } from "@x/runtime";

import type { PgClient } from "./driver.ts";
import type { Namespace } from "./namespace.ts";
import { expandStep, migrations } from "./schema.ts";

const firstOf = async <Row>(
  client: PgClient,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | undefined> => (await client.query({ text, values })).rows[0] as Row | undefined;

/** Returns the version of the schema; 0 without one. Creates the schema and the table of its version. */
async function schemaVersion(client: PgClient, { schema, qualify }: Namespace): Promise<number> {
  // The statement with IF NOT EXISTS needs the right to create schemas even where the schema exists.
  const found = await firstOf(client, "SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (!found) await client.query({ text: `CREATE SCHEMA "${schema}"` });
  const table = await firstOf<{ name: string | null }>(client, "SELECT to_regclass($1)::text AS name", [
    qualify("@schema_version"),
  ]);
  if (table?.name === null) {
    await client.query({ text: qualify("CREATE TABLE @schema_version (version int4 NOT NULL)") });
    await client.query({ text: qualify("INSERT INTO @schema_version VALUES (0)") });
  }
  return (await firstOf<{ version: number }>(client, qualify("SELECT version FROM @schema_version")))?.version ?? 0;
}

/**
 * Updates the schema to the newest version, in one transaction and under a lock: of services that start at once, one
 * migrates. Rejects with `store_version` for a schema of a newer release.
 */
export async function migrate(
  client: PgClient,
  namespace: Namespace,
  steps: readonly string[] = migrations,
): Promise<void> {
  const encoding = await firstOf<{ server_encoding: string }>(client, "SHOW server_encoding");
  if (encoding?.server_encoding !== "UTF8")
    throw new XError("store_failed", [
      "open the schema",
      `the database has the encoding ${encoding?.server_encoding}, not UTF8`,
    ]);
  await client.query({ text: "BEGIN" });
  try {
    await client.query({ text: `SELECT pg_advisory_xact_lock(${namespace.lockKey("migrations")})` });
    const version = await schemaVersion(client, namespace);
    if (version > steps.length)
      throw new XError("store_version", [namespace.name, String(steps.length), String(version)]);
    for (const step of steps.slice(version)) await client.query({ text: namespace.qualify(expandStep(step)) });
    if (version < steps.length)
      await client.query({
        text: namespace.qualify("UPDATE @schema_version SET version = $1"),
        values: [steps.length],
      });
    await client.query({ text: "COMMIT" });
  } catch (error) {
    await client.query({ text: "ROLLBACK" }).catch(() => undefined);
    throw error;
  }
}

/** Rejects with `invalid_options` unless the schema exists and is that of this release. Changes nothing. */
export async function checkSchema(client: PgClient, { name, qualify }: Namespace): Promise<void> {
  const table = await firstOf<{ name: string | null }>(client, "SELECT to_regclass($1)::text AS name", [
    qualify("@schema_version"),
  ]);
  if (!table || table.name === null)
    throw new XError("invalid_options", ["schema", "one with the data of a service", `${name}, which has none`]);
  const version =
    (await firstOf<{ version: number }>(client, qualify("SELECT version FROM @schema_version")))?.version ?? 0;
  if (version > migrations.length)
    throw new XError("store_version", [name, String(migrations.length), String(version)]);
  if (version < migrations.length)
    throw new XError("invalid_options", [
      "schema",
      "one that a start of this release has updated",
      `version ${version}`,
    ]);
}
