import { Pool, types } from "pg";

import { readLossless } from "@x/runtime/store";

/** A statement with its values and the parsers of its results. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly types?: unknown;
}

export interface Result {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** What another session announced on a channel. */
export interface Notification {
  readonly channel: string;
  readonly payload?: string;
}

/** What this package uses of a connection of `pg`. */
export interface PgClient {
  query(statement: Statement): Promise<Result>;
  query<T extends { submit(connection: never): void }>(submittable: T): T;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: Notification) => void): unknown;
  ref(): void;
  unref(): void;
  release(destroy?: boolean): void;
}

/** What this package uses of a pool of `pg`. */
export interface PgPool {
  /** Calls `taken` before the connection's next message is read; a promise would be later. */
  connect(taken: (error: Error | undefined, client?: PgClient) => void): void;
  query(statement: Statement): Promise<Result>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "connect", listener: (client: PgClient) => void): unknown;
  listeners(event: "connect"): readonly unknown[];
  end(): Promise<void>;
}

/** A lost connection shows in its queries as well. */
const ignore = (): void => undefined;

const guardClient = (client: PgClient): void => void client.on("error", ignore);

/** Keeps connections that are lost, used or idle, from ending the process: an error that nobody listens to would. */
export function guardPool(pool: PgPool): void {
  // A pool of the caller may serve several stores.
  if (pool.listeners("connect").includes(guardClient)) return;
  pool.on("error", ignore);
  pool.on("connect", guardClient);
}

/** Takes a connection of a pool. `lose` gets the cause of its loss, however early that comes. */
export function takeClient(pool: PgPool, lose: (cause: unknown) => void = ignore): Promise<PgClient> {
  return new Promise((resolve, reject) => {
    pool.connect((error, client) => {
      if (!client) return reject(error ?? new Error("the pool gave no connection"));
      client.on("error", lose);
      resolve(client);
    });
  });
}

const defaultParser = types.getTypeParser as (id: number, format?: string) => unknown;

const oid = { int8: 20, text: 25 };

/** Integers are numbers, because none is beyond 2^53; texts are as they were written. */
export const parsers: { getTypeParser(id: number, format?: string): unknown } = {
  getTypeParser(id, format) {
    if (id === oid.int8) return Number;
    if (id === oid.text) return readLossless;
    return defaultParser(id, format);
  },
};

/** One connection for the locks, one for commits, the others for reads. */
const [ownConnections, readConnections] = [2, 4];

/** Which of its connections a pool is for. */
export type PoolUse = "all" | "own" | "reads";

const most: { readonly [use in PoolUse]: number } = {
  all: ownConnections + readConnections,
  own: ownConnections,
  reads: readConnections,
};

export function openPool(url: string, use: PoolUse): PgPool {
  return new Pool({
    connectionString: url,
    max: most[use],
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 10_000,
    application_name: "x",
    allowExitOnIdle: true,
  }) as unknown as PgPool;
}
