import type { Control, RunRows } from "../control.ts";
import { endBackends } from "../node-row.ts";
import type { Place } from "../place.ts";
import { assignSlots, type Holder } from "./assignment.ts";
import { ageSql, freeSql } from "./peers.ts";
import type { Timing } from "./timing.ts";

/** Who has each slot, and who shall have it. */
export interface SlotTable {
  readonly owners: readonly Holder[];
  readonly targets: readonly Holder[];
}

/** Both, by slot. */
const readSql = "SELECT owner, target FROM @slot ORDER BY slot";

async function readWith(rows: RunRows): Promise<SlotTable> {
  const found = await rows<{ readonly owner: Holder; readonly target: Holder }>(readSql);
  return { owners: found.map(({ owner }) => owner), targets: found.map(({ target }) => target) };
}

export const readSlots = ({ rows }: Control): Promise<SlotTable> => readWith(rows);

/** Nodes that decide about slots wait for each other. */
const lockSql = ({ lockKey }: Place): string => `SELECT pg_advisory_xact_lock(${lockKey("assign")})`;

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

/** Marks suspects as dead and gives each slot the node that shall have it. Returns those that it marked. */
export const assign = (
  { transaction }: Control,
  place: Place,
  suspects: readonly string[],
  timing: Timing,
): Promise<readonly string[]> =>
  transaction(async (rows) => {
    await rows(lockSql(place));
    const dead = suspects.length > 0 ? await markDead(rows, suspects, timing) : [];
    await tidy(rows);
    await setTargets(rows);
    return dead;
  });

/** Takes the free slots that a node shall have, and returns them. */
export const claimSlots = ({ transaction }: Control, place: Place, nodeId: string): Promise<readonly number[]> =>
  transaction(async (rows) => {
    await rows(lockSql(place));
    const claimed = await rows<{ readonly slot: number }>(
      `UPDATE @slot SET owner = $1 WHERE target = $1 AND owner IS NULL
        AND EXISTS (SELECT 1 FROM @node n WHERE n.id = $1 AND NOT n.dead) RETURNING slot`,
      nodeId,
    );
    return claimed.map(({ slot }) => slot);
  });
