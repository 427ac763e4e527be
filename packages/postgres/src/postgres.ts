import { randomUUID } from "node:crypto";

import { checkOptions, type Logger, type PinoLike, rule, type Rules, toLogger, XError } from "@x/runtime";
import { createSlots, type Sealing, type Slots, type Store } from "@x/runtime/store";

import { type ClusterNode, createClusterNode } from "./cluster/cluster.ts";
import { defaultTiming, type Timing } from "./cluster/timing.ts";
import { guardPool, openPool, type PgPool } from "./driver.ts";
import { encodeChanges } from "./encode.ts";
import { storeError, takenOver } from "./failure.ts";
import { type GroupCommit, startGroupCommit } from "./group-commit.ts";
import { createNamespace, type Namespace, splitUrl } from "./namespace.ts";
import { createQuery, type Query } from "./query.ts";
import { componentReads } from "./read-components.ts";
import { dataStoreReads } from "./read-data-stores.ts";
import { deliveryReads } from "./read-deliveries.ts";
import { countEvents, readEvents } from "./read-events.ts";
import { executionReads } from "./read-executions.ts";
import { listenerReads } from "./read-listeners.ts";
import { sourceReads } from "./read-sources.ts";
import { triggerReads } from "./read-triggers.ts";
import { appReads } from "./read-apps.ts";
import { userReads } from "./read-users.ts";
import type { Reads } from "./reads.ts";
import { createRowList } from "./row.ts";
import { openSession } from "./session.ts";
import type { WriteName } from "./writes.ts";

/** A pool of the package `pg`. */
export interface GivenPool {
  connect(): Promise<unknown>;
  query(statement: never): Promise<unknown>;
  end(): Promise<void>;
}

export interface PostgresOptions {
  /** Such as `postgres://user:password@host/database`; `?schema=NAME` names the schema. */
  readonly url?: string;
  /** Instead of `url`: a pool of `pg` with at least 4 connections, which stays open. */
  readonly pool?: GivenPool;
  /**
   * Where `url` or `pool` lead to pgbouncer in transaction mode: the server itself. Locks, notifications and commits have two
   * connections to it; reads go through the pooler. The parameter `direct=HOST:PORT` of `url` says the same.
   */
  readonly directUrl?: string;
  /** The schema of the tables, which is created if it does not exist; default `x`. One service at a time. */
  readonly schema?: string;
  /** `several`: other services may use the schema at the same time, and share its sources. Default: `one`. */
  readonly nodes?: "one" | "several";
  /** Among several nodes, one that shows no sign of life for so long, in ms, is dead for the others. Default: 5000. */
  readonly leaseMs?: number;
  /** Receives lost connections; default: none. */
  readonly logger?: Logger | PinoLike;
}

/** The rules of the options. */
export const optionRules: Rules<PostgresOptions> = {
  url: rule.secret(rule.text("postgres://user@host/database?schema=NAME")),
  pool: rule.having("connect", "query", "end"),
  directUrl: rule.secret(rule.text("postgres://user@host/database")),
  schema: rule.text("the name of a schema"),
  nodes: rule.oneOf("one", "several"),
  leaseMs: rule.of("an integer of at least 1000", (value) => Number.isSafeInteger(value) && Number(value) >= 1_000),
  logger: rule.having("info", "warn", "error"),
};

const defaultSchema = "x";

/** The pools of the options. */
interface Pools {
  /** For reads, one statement at a time. */
  readonly pool: PgPool;
  /** For locks, notifications and commits: its connections lead to the server itself. */
  readonly direct: PgPool;
  readonly namespace: Namespace;
  /** Ends those that are our own. */
  endPool(): Promise<void>;
}

function directPool(directUrl: string | undefined): PgPool | undefined {
  return directUrl === undefined ? undefined : openPool(directUrl, "own");
}

/** The URL of the option. */
function checkDirectUrl(directUrl: string | undefined): string | undefined {
  try {
    return directUrl === undefined ? undefined : splitUrl(directUrl).url;
  } catch (error) {
    if (!XError.is(error)) throw error;
    throw new XError("invalid_options", ["directUrl", "postgres://user@host/database", "another text"]);
  }
}

export function poolOf(options: PostgresOptions): Pools {
  const { url, pool: given, schema } = options;
  if (given && url !== undefined) throw new XError("invalid_options", ["pool", "absent beside url", "both"]);
  if (!given && url === undefined) throw new XError("invalid_options", ["url", "a URL, or a pool", "nothing"]);
  const parts = url === undefined ? undefined : splitUrl(url);
  const namespace = createNamespace(schema ?? parts?.schema ?? defaultSchema);
  const direct = directPool(checkDirectUrl(options.directUrl) ?? parts?.direct);
  const own = parts && openPool(parts.url, direct ? "reads" : "all");
  const pool = own ?? (given as unknown as PgPool);
  for (const each of direct ? [pool, direct] : [pool]) guardPool(each);
  const endPool = async (): Promise<void> => {
    await Promise.all([own?.end(), direct?.end()]);
  };
  return { pool, direct: direct ?? pool, namespace, endPool };
}

/**
 * Opens the store of a schema, or creates it: for the option `store` of `createRuntime`. Rejects with `invalid_options`, with
 * `store_locked` when another service uses the schema, with `store_version` for a schema of a newer release, and with
 * `store_unavailable` or `store_failed` when the server cannot be reached or refuses.
 */
export async function openPostgres(options: PostgresOptions): Promise<Store> {
  checkOptions(options, optionRules);
  return openStore(options, { ...defaultTiming, leaseMs: options.leaseMs ?? defaultTiming.leaseMs });
}

/** `openPostgres` with given times. */
export async function openStore(options: PostgresOptions, timing: Timing): Promise<Store> {
  const { pool, direct, namespace, endPool } = poolOf(options);
  const given = { pool: direct, namespace, nodeId: `n_${randomUUID()}`, hasCluster: options.nodes === "several" };
  try {
    const session = await openSession(given);
    const logger = toLogger(options.logger);
    const query = createQuery(pool, namespace, pool === direct);
    let node: ClusterNode | undefined;
    const writer = startGroupCommit({
      session,
      hasCluster: given.hasCluster,
      reopen: (before) => openSession(given, before),
      logger,
      sessionChanged: (next) => node?.connected(next?.control),
    });
    if (given.hasCluster) {
      const { submit, fail } = writer;
      node = createClusterNode({ nodeId: given.nodeId, namespace, query, logger, timing, submit, fail });
      node.connected(session.control);
      void writer.failed.then((error) => node?.end(takenOver(error)));
    }
    return createStore({ writer, query, node, endPool });
  } catch (error) {
    await endPool();
    throw storeError("open the schema", error);
  }
}

const createReads = (query: Query): Reads => ({
  ...userReads(query),
  ...appReads(query),
  ...dataStoreReads(query),
  ...componentReads(query),
  ...sourceReads(query),
  ...triggerReads(query),
  events: (emitterId, stream, page) => readEvents(query, emitterId, stream, page),
  eventCounts: (emitterId, stream, spans) => countEvents(query, emitterId, stream, spans),
  ...executionReads(query),
  ...listenerReads(query),
  ...deliveryReads(query),
  sealing: () => query.record<Sealing>("SELECT record FROM @sealing"),
});

/** Makes every read check that the store is open, and reject with errors of the store. */
function guardReads(reads: Reads, checkOpen: () => void): Reads {
  const guarded = Object.entries(reads).map(([name, read]) => {
    const action = `read ${name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
    const call = read as (...values: unknown[]) => Promise<unknown>;
    return [
      name,
      async (...values: unknown[]) => {
        checkOpen();
        try {
          return await call(...values);
        } catch (error) {
          throw storeError(action, error);
        }
      },
    ] as const;
  });
  return Object.fromEntries(guarded) as unknown as Reads;
}

/** Tables with secrets: sweeping rewrites them without what was deleted and replaced. */
const sweptTables = ["user", "source", "transition", "webhook", "account", "app"];

/** What a store is made of. */
interface StoreParts {
  readonly writer: GroupCommit;
  readonly query: Query;
  /** Undefined when no other node may use the schema. */
  readonly node: ClusterNode | undefined;
  readonly endPool: () => Promise<void>;
}

function createStore({ writer, query, node, endPool }: StoreParts): Store {
  let closed: Promise<void> | undefined;
  // After a start that failed, the marks of the previous process stay.
  let used = false;
  const checkOpen = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const reads = guardReads(createReads(query), checkOpen);
  const submit = (...marks: readonly (readonly [WriteName, string])[]): Promise<void> => {
    const list = createRowList();
    for (const [name, table] of marks) list.add(name, table);
    return writer.submit(list);
  };
  const countCrashes = async (table: string, all: WriteName, some: WriteName, slots?: Slots): Promise<void> => {
    checkOpen();
    used = true;
    const list = createRowList();
    if (slots) for (const slot of slots.list) list.add(some, table, slot);
    else list.add(all, table);
    await writer.submit(list);
  };
  // The work of other nodes is not this one's to recover.
  const slotsOf = (given: Slots | undefined): Slots | undefined => given ?? (node && createSlots(node.runningSlots()));
  const close = async (): Promise<void> => {
    // If this fails, the next start counts running work as crashed: nothing is lost.
    await node?.end(new XError("closed", []));
    if (used && !node)
      await submit(["settleTriggers", "inbox"], ["settleTransitions", "transition"]).catch(() => undefined);
    await writer.close();
    await endPool();
  };

  return {
    ...reads,
    failed: writer.failed,
    ...(node && { cluster: node.cluster }),
    commitStats: writer.read,
    async commit(changes) {
      checkOpen();
      used = true;
      if (changes.length === 0) return;
      const announce = node?.announce(changes);
      await writer.submit(encodeChanges(changes, node?.encoding));
      announce?.();
    },
    async recoverTriggers(given) {
      const slots = slotsOf(given);
      await countCrashes("inbox", "countCrashes", "countCrashesIn", slots);
      return node && slots ? node.seeTriggers(slots) : reads.triggers(undefined, slots);
    },
    async recoverTransitions(given) {
      const slots = slotsOf(given);
      await countCrashes("transition", "countTransitionCrashes", "countTransitionCrashesIn", slots);
      return (await reads.transitions()).filter(({ source }) => slots?.has(source.id) !== false);
    },
    async sweep() {
      checkOpen();
      try {
        for (const table of sweptTables) await query.all(`VACUUM (FULL) @${table}`);
      } catch (error) {
        throw storeError("sweep the schema", error);
      }
    },
    close: () => (closed ??= close()),
  };
}
