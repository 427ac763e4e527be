import { systemClock, XError } from "@x/runtime";

import { arrayLiteral } from "./array-literal.ts";
import { type Control, createControl } from "./control.ts";
import { parsers, type PgClient, type PgPool, takeClient } from "./driver.ts";
import { unavailable } from "./failure.ts";
import { migrate } from "./migrate.ts";
import {
  type Backend,
  backendsOf,
  endBackends,
  register,
  type Registration,
  returnAs,
  readReplaced,
  unregister,
} from "./node-row.ts";
import { createPipeline, type Step } from "./pipeline.ts";
import type { Namespace } from "./namespace.ts";
import type { PlannedWrite } from "./plan.ts";
import { fence, writeNames, writes } from "./writes.ts";

/** What a session leaves to the next one of the same node. */
export interface Predecessor {
  readonly backends: readonly Backend[];
}

/** Where a session is opened, and for whom. */
export interface SessionIdentity {
  readonly pool: PgPool;
  readonly namespace: Namespace;
  /** Names one node from its start to its end. */
  readonly nodeId: string;
  /** False: no other node may use the schema. */
  readonly hasCluster: boolean;
}

/** The locks of a node, and the connection for commits. */
export interface Session extends Predecessor {
  /** The connection of the locks. */
  readonly control: Control;
  /** The last batch of the former session that was committed. */
  readonly lastBatch: number;
  /** Resolves with the cause when a connection is lost. */
  readonly lost: Promise<unknown>;
  /** Does all writes in one transaction and one round trip. */
  apply(batch: number, planned: readonly PlannedWrite[]): Promise<void>;
  /** While nothing is under way, its connections do not keep the process alive. */
  hold(isHeld: boolean): void;
  /** Removes the node: what it owned is free. */
  leave(): Promise<unknown>;
  end(): void;
}

/** How long another service may take to release the lock, in ms: a service that was just killed does so at once. */
const lockWaitMs = 2_000;
/** The connection of the locks is asked this often whether it is alive, and has this long for the answer. */
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

const isTimeout = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "55P03";

async function isMine(client: PgClient, { namespace, nodeId }: SessionIdentity): Promise<boolean> {
  const text = namespace.qualify("SELECT 1 FROM @node WHERE id = $1 AND NOT dead");
  return (await client.query({ text, values: [nodeId], types: parsers })).rows.length > 0;
}

/** Takes the schema, alone or with other nodes, and the lock that shows that this node lives. */
async function takeLocks(client: PgClient, control: Control, given: SessionIdentity, isAgain: boolean): Promise<void> {
  const { namespace, nodeId, hasCluster } = given;
  const schemaLock = hasCluster ? "pg_advisory_lock_shared" : "pg_advisory_lock";
  await client.query({ text: `SET lock_timeout = ${lockWaitMs}` });
  try {
    await client.query({ text: `SELECT ${schemaLock}(${namespace.lockKey("service")})` });
    await client.query({ text: `SELECT pg_advisory_lock(${namespace.lockKey(`node ${nodeId}`)})` });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    // A connection of ours that the server still believes in: it notices later.
    if (isAgain) throw (await isMine(client, given)) ? unavailable(error) : await readReplaced(control, given);
    throw new XError("store_locked", [namespace.name], { cause: error });
  }
}

const prepareSteps = (namespace: Namespace): Step[] => [
  { prepare: "fence", text: namespace.qualify(fence.sql) },
  ...writeNames.map((name) => ({ prepare: name, text: namespace.qualify(writes[name].sql) })),
];

/** Asks the connection now and then whether it is alive. Returns the function that ends it. */
function startHeartbeat(control: Control, lose: (cause: unknown) => void): () => void {
  let cancel: (() => void) | undefined;
  let asked = false;
  const beat = (): void => {
    if (asked) return lose(new Error("the server does not answer"));
    asked = true;
    control.rows("SELECT 1").then(() => (asked = false), lose);
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
  const lock = await takeClient(pool, lose);
  try {
    const writer = await takeClient(pool, lose);
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

async function prepareWriter(writer: PgClient, namespace: Namespace): Promise<void> {
  await writer.query({ text: set([...connectionSettings, ...writerSettings]) });
  // What a commit promises must hold on servers that are set to acknowledge early, too.
  await writer.query({
    text: `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`,
  });
  await writer.query(createPipeline(prepareSteps(namespace))).done;
}

/**
 * Takes the locks of a node, migrates the schema and registers the node. Rejects with `store_locked` when another service has
 * the schema, or has taken the place of this node since `before`.
 */
export async function openSession(given: SessionIdentity, before?: Predecessor): Promise<Session> {
  const { pool, namespace, nodeId } = given;
  const isAgain = before !== undefined;
  const { lock, writer, lost, lose, destroy } = await connect(pool);
  try {
    await lock.query({ text: set(connectionSettings) });
    const control = createControl(lock, namespace);
    if (before) await endBackends(control, before.backends);
    await takeLocks(lock, control, given, isAgain);
    await migrate(lock, namespace);
    const backends = await backendsOf([lock, writer]);
    const { epoch, batch }: Registration = isAgain
      ? await returnAs(control, given, backends)
      : await register(control, given, backends);
    await prepareWriter(writer, namespace);
    const stopHeartbeat = startHeartbeat(control, lose);
    lock.unref();
    return {
      control,
      backends,
      lastBatch: batch,
      lost,
      async apply(number, planned) {
        const steps = planned.map(({ write, values }) => ({ statement: write, values }));
        const values = [arrayLiteral([number]), arrayLiteral([nodeId]), arrayLiteral([epoch])];
        await writer.query(createPipeline([{ statement: "fence", values }, ...steps])).done;
      },
      hold(isHeld) {
        if (isHeld) writer.ref();
        else writer.unref();
      },
      leave: () => unregister(control, nodeId),
      end() {
        stopHeartbeat();
        control.end();
        destroy();
      },
    };
  } catch (error) {
    destroy();
    throw error;
  }
}
