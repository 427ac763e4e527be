import { slotCount } from "@x/runtime/store";

import type { Control, RunRows } from "../control.ts";
import { endBackends } from "../node-row.ts";
import type { Namespace } from "../namespace.ts";
import { assignSlots, type Holder } from "./assignment.ts";
import { ageSql, freeSql } from "./peers.ts";
import type { Timing } from "./timing.ts";

/** The owner of each slot, and the node to which it is assigned. */
export interface SlotTable {
  readonly owners: readonly Holder[];
  readonly targets: readonly Holder[];
}

/** Few rows: a thousand for each look would take long to parse at a node that has just begun. */
const readSql = "SELECT owner, target, string_agg(slot::text, ' ') AS slots FROM @slot GROUP BY owner, target";

async function readWith(rows: RunRows): Promise<SlotTable> {
  const found = await rows<{ readonly owner: Holder; readonly target: Holder; readonly slots: string }>(readSql);
  const owners: Holder[] = Array.from({ length: slotCount }, () => null);
  const targets: Holder[] = Array.from({ length: slotCount }, () => null);
  for (const { owner, target, slots } of found) {
    for (const slot of slots.split(" ")) {
      owners[Number(slot)] = owner;
      targets[Number(slot)] = target;
    }
  }
  return { owners, targets };
}

export const readSlots = ({ rows }: Control): Promise<SlotTable> => readWith(rows);

/** Nodes that decide about slots wait for each other. */
const lockSql = ({ lockKey }: Namespace): string => `SELECT pg_advisory_xact_lock(${lockKey("assign")})`;

/** Marks nodes as dead that are still suspect: waits for a commit of theirs that is under way; every later one is refused. */
async function markDead(rows: RunRows, suspects: readonly string[], timing: Timing): Promise<readonly string[]> {
  const dead = await rows<{ readonly id: string; readonly backends: readonly string[] }>(
    `SELECT n.id, n.backends FROM @node n JOIN @beat b ON b.node = n.id WHERE n.id = ANY ($1::text[]) AND NOT n.dead
      AND (${ageSql} > $2 OR (${ageSql} > $3 AND ${freeSql}))`,
    suspects,
    timing.leaseMs,
    timing.graceMs,
  );
  if (dead.length === 0) return [];
  // A frozen process may have begun a transaction, and would hold its locks until it wakes up.
  await endBackends(
    { rows },
    dead.flatMap(({ backends }) => backends),
  );
  const ids = dead.map(({ id }) => id);
  await rows("UPDATE @node SET dead = true WHERE id = ANY ($1::text[])", ids);
  return ids;
}

const isLive = (column: string): string =>
  `EXISTS (SELECT 1 FROM @node live WHERE live.id = ${column} AND NOT live.dead)`;

/** Frees what belonged to nodes that are gone; forgets those that have been dead for long. */
async function tidy(rows: RunRows): Promise<void> {
  await rows(`UPDATE @slot SET owner = NULL WHERE owner IS NOT NULL AND NOT ${isLive("owner")}`);
  await rows(`DELETE FROM @message WHERE (type <> 'answer' AND NOT ${isLive("from_node")})
    OR (to_node IS NOT NULL AND NOT ${isLive("to_node")})`);
  await rows(`DELETE FROM @node n USING @beat b WHERE b.node = n.id AND n.dead AND b.at < now() - interval '1 hour'`);
  await rows("DELETE FROM @beat b WHERE NOT EXISTS (SELECT 1 FROM @node n WHERE n.id = b.node)");
}

/** Sets the targets of slots for the nodes that take some. */
async function setTargets(rows: RunRows): Promise<void> {
  const takers = await rows<{ readonly id: string }>(
    "SELECT id FROM @node WHERE joined AND NOT leaving AND NOT dead ORDER BY since, id",
  );
  const { targets } = await readWith(rows);
  const next = assignSlots(
    takers.map(({ id }) => id),
    targets,
  );
  const moved = next.flatMap((target, slot) => (target === targets[slot] ? [] : [{ slot, target }]));
  if (moved.length === 0) return;
  await rows(
    `UPDATE @slot s SET target = r.target FROM unnest($1::int4[], $2::text[]) AS r (slot, target) WHERE s.slot = r.slot`,
    moved.map(({ slot }) => slot),
    moved.map(({ target }) => target),
  );
}

/** Marks suspects as dead and assigns each slot to a node. Returns those that it marked. */
export const assign = (
  { transaction }: Control,
  namespace: Namespace,
  suspects: readonly string[],
  timing: Timing,
): Promise<readonly string[]> =>
  transaction(async (rows) => {
    await rows(lockSql(namespace));
    const dead = suspects.length > 0 ? await markDead(rows, suspects, timing) : [];
    await tidy(rows);
    await setTargets(rows);
    return dead;
  });

/**
 * Takes the free slots that are assigned to a node, and returns them. One statement, because other nodes' sources wait for it; it
 * reads the node's row anew when it has the lock.
 */
export async function claimSlots({ rows }: Control, namespace: Namespace, nodeId: string): Promise<readonly number[]> {
  const claimed = await rows<{ readonly slot: number }>(
    `WITH lock AS MATERIALIZED (${lockSql(namespace)}),
      me AS MATERIALIZED (SELECT n.id FROM lock, @node n WHERE n.id = $1 AND NOT n.dead FOR SHARE OF n)
    UPDATE @slot s SET owner = me.id FROM me WHERE s.target = me.id AND s.owner IS NULL RETURNING s.slot`,
    nodeId,
  );
  return claimed.map(({ slot }) => slot);
}
