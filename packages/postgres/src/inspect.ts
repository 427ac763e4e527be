import { checkOptions, type InspectedStore, XError } from "@x/runtime";

import { type PgClient, takeClient } from "./driver.ts";
import { storeError } from "./failure.ts";
import type { Namespace } from "./namespace.ts";
import { optionRules, poolOf, type PostgresOptions } from "./postgres.ts";
import { isServed, readSealing } from "./row-source.ts";
import { migrations } from "./schema.ts";

/** A schema that was looked at. */
export interface InspectedSchema extends InspectedStore {
  /** Such as `15.8`. */
  readonly serverVersion: string;
  /** False for a schema that the first start of a service creates. */
  readonly hasData: boolean;
}

const oldestServer = 140_000;

interface Facts {
  readonly version: string;
  readonly number: number;
  readonly encoding: string;
  readonly schema: boolean;
  readonly create: boolean;
  readonly tables: boolean;
}

/** What the server is, and what this role may do. */
async function factsOf(client: PgClient, { schema, qualify }: Namespace): Promise<Facts> {
  const text = `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int4 AS number,
    current_setting('server_encoding') AS encoding, n.nspname IS NOT NULL AS schema,
    CASE WHEN n.nspname IS NULL THEN has_database_privilege(current_database(), 'CREATE')
      ELSE has_schema_privilege(n.oid, 'CREATE') END AS create, to_regclass($2) IS NOT NULL AS tables
    FROM (VALUES (1)) AS one LEFT JOIN pg_namespace n ON n.nspname = $1`;
  const values = [schema, qualify("@schema_version")];
  const [facts] = (await client.query({ text, values })).rows as readonly Facts[];
  if (!facts) throw new Error("the server answers nothing");
  return facts;
}

const refused = (problem: string): XError => new XError("store_failed", ["open the schema", problem]);

function findProblem({ name }: Namespace, { version, number, encoding, schema, create }: Facts): XError | undefined {
  if (number < oldestServer) return refused(`the server is PostgreSQL ${version}; x needs 14 or newer`);
  if (encoding !== "UTF8") return refused(`the database has the encoding ${encoding}, not UTF8`);
  if (create) return undefined;
  const right = schema ? "CREATE on the schema" : "CREATE on the database, or on a schema that you create for it";
  return refused(`this role may not create tables for ${name}; grant it ${right}`);
}

async function readUnverifiedApps(client: PgClient, { qualify }: Namespace): Promise<string[]> {
  const text = `SELECT DISTINCT slug FROM @app_endpoint
    WHERE record::json #>> '{verification,scheme}' = 'none' ORDER BY slug`;
  const found = await client.query({ text: qualify(text) });
  return (found.rows as readonly { readonly slug: string }[]).map(({ slug }) => slug);
}

/**
 * Looks at a schema and changes nothing; a service may be running on it. Rejects with `store_unavailable`, `store_version` or
 * `store_failed` when a start would.
 */
export async function inspectPostgres(options: PostgresOptions): Promise<InspectedSchema> {
  checkOptions(options, optionRules);
  const { pool, namespace, endPool } = poolOf(options);
  let client: PgClient | undefined;
  try {
    client = await takeClient(pool);
    const facts = await factsOf(client, namespace);
    const problem = findProblem(namespace, facts);
    if (problem) throw problem;
    const known = { serverVersion: facts.version, hasData: facts.tables, currentVersion: migrations.length };
    if (!facts.tables) return { ...known, schemaVersion: 0, isInUse: false, unverifiedApps: [] };
    const found = await client.query({ text: namespace.qualify("SELECT version FROM @schema_version") });
    const [row] = found.rows as readonly { readonly version: number }[];
    const version = row?.version ?? 0;
    if (version > migrations.length)
      throw new XError("store_version", [namespace.name, String(migrations.length), String(version)]);
    const isInUse = await isServed(client, namespace);
    const sealing = await readSealing(client, namespace);
    const apps = version < migrations.length ? [] : await readUnverifiedApps(client, namespace);
    return { ...known, schemaVersion: version, isInUse, sealing, unverifiedApps: apps };
  } catch (error) {
    throw storeError("open the schema", error);
  } finally {
    client?.release(true);
    await endPool();
  }
}
