import { XError } from "@x/runtime";

import type { Control, RunRows } from "./control.ts";
import { parsers, type PgClient } from "./driver.ts";
import type { Namespace } from "./namespace.ts";

/** A process of the server that serves one of our connections: its number and when it began. */
export type Backend = string;

/** Where a node is registered. */
export interface NodeIdentity {
  readonly namespace: Namespace;
  readonly nodeId: string;
  readonly hasCluster: boolean;
}

/** A session of a node, and the last batch that was committed before it. */
export interface Registration {
  readonly epoch: number;
  readonly batch: number;
}

const backendSql = `SELECT pid || ' ' || extract(epoch FROM backend_start) AS backend FROM pg_stat_activity
  WHERE pid = pg_backend_pid()`;

/** The processes behind connections. */
export async function backendsOf(clients: readonly PgClient[]): Promise<readonly Backend[]> {
  const found: Backend[] = [];
  for (const client of clients) {
    const [row] = (await client.query({ text: backendSql, types: parsers })).rows as readonly { backend: string }[];
    if (row) found.push(row.backend);
  }
  return found;
}

/** Ends what the server still does for connections that were lost: it may hold a lock, or be about to commit. */
export const endBackends = ({ rows }: { readonly rows: RunRows }, backends: readonly Backend[]): Promise<unknown> =>
  rows(
    `SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
      WHERE a.pid || ' ' || extract(epoch FROM a.backend_start) = ANY ($1::text[])`,
    backends,
  );

/** Registers a node. One that must be alone ends all others: no commit of theirs succeeds from here on. */
export async function register(
  control: Control,
  { namespace, nodeId, hasCluster }: NodeIdentity,
  backends: readonly Backend[],
): Promise<Registration> {
  await control.transaction(async (rows) => {
    if (!hasCluster) {
      const old = await rows<{ backends: readonly Backend[] }>("SELECT backends FROM @node");
      await endBackends(
        { rows },
        old.flatMap((row) => row.backends),
      );
      await rows("DELETE FROM @node; DELETE FROM @beat; DELETE FROM @message");
      await rows("UPDATE @slot SET owner = NULL, target = NULL WHERE owner IS NOT NULL OR target IS NOT NULL");
    }
    await rows(
      `INSERT INTO @node (id, since, lock_key, epoch, batch, dead, joined, leaving, backends)
        VALUES ($1, floor(extract(epoch FROM clock_timestamp()) * 1000), $2, 1, 0, false, false, false, $3::text[])`,
      nodeId,
      namespace.lockKey(`node ${nodeId}`),
      backends,
    );
    await rows("INSERT INTO @beat (node, at, queue_depth) VALUES ($1, clock_timestamp(), 0)", nodeId);
  });
  return { epoch: 1, batch: 0 };
}

/** Another node has declared this one dead: no commit of it succeeds any more. */
export class ReplacedError extends XError {
  /** The last batch that was committed; undefined when the node is forgotten. */
  readonly lastBatch: number | undefined;

  constructor(schema: string, lastBatch: number | undefined) {
    super("store_locked", [schema]);
    this.lastBatch = lastBatch;
  }
}

/** What became of a node that is not alive any more. */
export async function readReplaced(
  control: Pick<Control, "rows">,
  { namespace, nodeId }: NodeIdentity,
): Promise<ReplacedError> {
  const [row] = await control.rows<{ readonly batch: number }>(
    "SELECT batch FROM @node WHERE id = $1 AND dead",
    nodeId,
  );
  return new ReplacedError(namespace.name, row?.batch);
}

/** Registers the next session of a node: no commit of its former one succeeds from here on. */
export async function returnAs(
  control: Control,
  given: NodeIdentity,
  backends: readonly Backend[],
): Promise<Registration> {
  const [row] = await control.rows<Registration>(
    `WITH beat AS (UPDATE @beat SET at = clock_timestamp() WHERE node = $1)
      UPDATE @node SET epoch = epoch + 1, backends = $2::text[] WHERE id = $1 AND NOT dead RETURNING epoch, batch`,
    given.nodeId,
    backends,
  );
  if (!row) throw await readReplaced(control, given);
  return row;
}

/** Removes the node's row: all that it owned is free. */
export const unregister = (control: Control, nodeId: string): Promise<unknown> =>
  control.rows("WITH beat AS (DELETE FROM @beat WHERE node = $1) DELETE FROM @node WHERE id = $1", nodeId);
