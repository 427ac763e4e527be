import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** What the peers use of a connection of `pg`. */
export interface PeerClient {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** What the peers use of a pool of `pg`. */
export interface PeerPool extends PeerClient {
  connect(): Promise<PeerClient & { release(): void }>;
  end(): Promise<void>;
}

const folder: string = fileURLToPath(new URL("../peers/cluster/", import.meta.url));

/** Loads a package of `bench/peers/cluster`. */
export const loadPeer = (name: string): unknown => createRequire(`${folder}package.json`)(name) as unknown;

export function openPeerPool(url: string, max: number): PeerPool {
  const { Pool } = loadPeer("pg") as { Pool: new (options: object) => PeerPool };
  return new Pool({ connectionString: url, max });
}

/** The tables of a job's writes, and one function that does them all in one round trip. */
const tables = (schema: string): string => `
  CREATE SCHEMA IF NOT EXISTS ${schema};
  CREATE TABLE ${schema}.kv (source text, key text, value text NOT NULL, PRIMARY KEY (source, key)) WITH (fillfactor = 70);
  CREATE TABLE ${schema}.dedupe (source text PRIMARY KEY, ids text NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE ${schema}.event (source text, stream int2, n int8, payload text NOT NULL, PRIMARY KEY (source, stream, n));
  CREATE TABLE ${schema}.delivery (
    id int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source text NOT NULL, n int8 NOT NULL, next_at float8, payload text NOT NULL
  );
  CREATE FUNCTION ${schema}.job_writes(of text, number int8, job text, body text, log text) RETURNS void LANGUAGE sql AS $$
    INSERT INTO ${schema}.kv VALUES (of, 'cursor', number::text) ON CONFLICT (source, key) DO UPDATE SET value = excluded.value;
    INSERT INTO ${schema}.dedupe VALUES (of, job) ON CONFLICT (source) DO UPDATE SET ids = excluded.ids;
    INSERT INTO ${schema}.event VALUES (of, 0, number, body), (of, 2, number, log);
    INSERT INTO ${schema}.delivery (source, n, next_at, payload) VALUES (of, number, number, body);
  $$`;

export const createTables = async (pool: PeerPool, schema: string): Promise<void> => {
  await pool.query(tables(schema));
};

/** One statement with all writes of a job. */
export const writesOf = (schema: string): string => `SELECT ${schema}.job_writes($1, $2, $3, $4, $5)`;
