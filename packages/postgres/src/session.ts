import { systemClock, XError } from "@x/runtime";

import { arrayLiteral } from "./array-literal.ts";
import { parsers, type PgClient, type PgPool } from "./driver.ts";
import { unavailable } from "./failure.ts";
import { migrate } from "./migrate.ts";
import { createPipeline, type Step } from "./pipeline.ts";
import type { Place } from "./place.ts";
import type { PlannedWrite } from "./plan.ts";
import { fence, writeNames, writes } from "./writes.ts";

/** A process of the server that serves one of our connections. */
interface Backend {
  readonly pid: number;
  readonly startedAt: string;
}

/** What a session leaves to the next one of the same store. */
export interface Predecessor {
  readonly backends: readonly Backend[];
}

/** Where a session is opened, and for whom. */
export interface SessionPlace {
  readonly pool: PgPool;
  readonly place: Place;
  /** Names one service from its start to its end. */
  readonly owner: string;
}

/** The lock of a schema, and the connection for commits. */
export interface Session extends Predecessor {
  readonly epoch: number;
  /** The last batch of the former session that was committed. */
  readonly lastBatch: number;
  /** Resolves with the cause when a connection is lost. */
  readonly lost: Promise<unknown>;
  /** Does all writes in one transaction and one round trip. */
  apply(batch: number, planned: readonly PlannedWrite[]): Promise<void>;
  /** While nothing is under way, its connections do not keep the process alive. */
  hold(isHeld: boolean): void;
  end(): void;
}

/** How long another service may take to release the lock, in ms: a service that was just killed does so at once. */
const lockWaitMs = 2_000;
/** The lock's connection is asked this often whether it is alive, and has this long for the answer. */
const heartbeatMs = 5_000;

/** Every write goes by keys, whatever the statistics of a table that was empty a moment ago suggest. */
const writerSettings = ["enable_seqscan = off", "enable_hashjoin = off", "enable_mergejoin = off", "jit = off"];
/** A host that has vanished loses the lock after about 25 s. */
const connectionSettings = [
  "statement_timeout = 0",
  "idle_session_timeout = 0",
  "tcp_keepalives_idle = 10",
  "tcp_keepalives_interval = 5",
  "tcp_keepalives_count = 3",
];

const set = (settings: readonly string[]): string => settings.map((setting) => `SET ${setting}`).join("; ");

async function rowsOf<Row>(client: PgClient, text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
  return (await client.query({ text, values, types: parsers })).rows as readonly Row[];
}

async function backendOf(client: PgClient): Promise<Backend> {
  const sql = `SELECT pid, backend_start::text AS "startedAt" FROM pg_stat_activity WHERE pid = pg_backend_pid()`;
  const [backend] = await rowsOf<Backend>(client, sql);
  return backend ?? { pid: 0, startedAt: "" };
}

/** Ends what the server still does for connections that we lost: it may hold the lock, or be about to commit. */
const endBackends = (client: PgClient, backends: readonly Backend[]): Promise<unknown> =>
  rowsOf(
    client,
    `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
      JOIN unnest($1::int4[], $2::text[]) AS b (pid, started) ON a.pid = b.pid AND a.backend_start::text = b.started`,
    [backends.map(({ pid }) => pid), backends.map(({ startedAt }) => startedAt)],
  );

const isTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "55P03";

async function takeLock(client: PgClient, { place, owner }: SessionPlace, isAgain: boolean): Promise<void> {
  await client.query({ text: `SET lock_timeout = ${lockWaitMs}` });
  try {
    await client.query({ text: `SELECT pg_advisory_lock(${place.lockKey("service")})` });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // A connection of ours that the server still believes in: it notices later.
    if (isAgain && (await isOwner(client, place, owner))) throw unavailable(error);
    throw new XError("store_locked", [place.name], { cause: error });
  }
}

async function isOwner(client: PgClient, { qualify }: Place, owner: string): Promise<boolean> {
  const found = await rowsOf(client, qualify("SELECT 1 FROM @service WHERE owner = $1"), [owner]);
  return found.length > 0;
}

/** Begins an epoch: from here on, no commit of an earlier one succeeds. */
async function beginEpoch(
  client: PgClient,
  { place, owner }: SessionPlace,
  isAgain: boolean,
): Promise<{ epoch: number; batch: number }> {
  const [row] = await rowsOf<{ epoch: number; batch: number }>(
    client,
    place.qualify(
      "UPDATE @service SET epoch = epoch + 1, owner = $1 WHERE owner = $1 OR NOT $2 RETURNING epoch, batch",
    ),
    [owner, isAgain],
  );
  if (!row) throw new XError("store_locked", [place.name]);
  return row;
}

const prepareSteps = (place: Place): Step[] => [
  { prepare: "fence", text: place.qualify(fence.sql) },
  ...writeNames.map((name) => ({ prepare: name, text: place.qualify(writes[name].sql) })),
];

/** Asks the connection now and then whether it is alive. Returns the function that ends it. */
function startHeartbeat(client: PgClient, lose: (cause: unknown) => void): () => void {
  let cancel: (() => void) | undefined;
  let asked = false;
  const beat = (): void => {
    if (asked) return lose(new Error("the server does not answer"));
    asked = true;
    client.query({ text: "SELECT 1" }).then(() => (asked = false), lose);
    cancel = systemClock.wakeAt(systemClock.now() + heartbeatMs, beat);
  };
  cancel = systemClock.wakeAt(systemClock.now() + heartbeatMs, beat);
  return () => cancel?.();
}

/** Two connections of the pool, which are destroyed together. */
interface Connections {
  readonly lock: PgClient;
  readonly writer: PgClient;
  readonly lost: Promise<unknown>;
  lose(cause: unknown): void;
  destroy(): void;
}

async function connect(pool: PgPool): Promise<Connections> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<unknown>();
  const lock = await pool.connect();
  lock.on("error", lose);
  try {
    const writer = await pool.connect();
    writer.on("error", lose);
    let isDestroyed = false;
    const destroy = (): void => {
      if (isDestroyed) return;
      isDestroyed = true;
      lock.release(true);
      writer.release(true);
    };
    return { lock, writer, lost, lose, destroy };
  } catch (error) {
    lock.release(true);
    throw error;
  }
}

/**
 * Takes the lock of a schema, migrates it and begins an epoch. Rejects with `store_locked` when another service has the
 * lock, or had it since `before`.
 */
export async function openSession(given: SessionPlace, before?: Predecessor): Promise<Session> {
  const { pool, place } = given;
  const isAgain = before !== undefined;
  const { lock, writer, lost, lose, destroy } = await connect(pool);
  try {
    await lock.query({ text: set(connectionSettings) });
    if (before) await endBackends(lock, before.backends);
    await takeLock(lock, given, isAgain);
    await migrate(lock, place);
    const { epoch, batch } = await beginEpoch(lock, given, isAgain);
    await writer.query({ text: set([...connectionSettings, ...writerSettings]) });
    // What a commit promises must hold on servers that are set to acknowledge early, too.
    await writer.query({
      text: `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
    });
    await writer.query(createPipeline(prepareSteps(place))).done;
    const backends = [await backendOf(lock), await backendOf(writer)];
    const stopHeartbeat = startHeartbeat(lock, lose);
    lock.unref();
    return {
      epoch,
      backends,
      lastBatch: batch,
      lost,
      async apply(number, planned) {
        const steps = planned.map(({ write, values }) => ({ statement: write, values }));
        const first = { statement: "fence", values: [arrayLiteral([number]), arrayLiteral([epoch])] };
        await writer.query(createPipeline([first, ...steps])).done;
      },
      hold(isHeld) {
        if (isHeld) writer.ref();
        else writer.unref();
      },
      end() {
        stopHeartbeat();
        destroy();
      },
    };
  } catch (error) {
    destroy();
    throw error;
  }
}
