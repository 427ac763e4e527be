import type { Logger } from "@x/runtime";
import { type Slots, slotOf, type TriggerHead } from "@x/runtime/store";

import type { Query } from "../query.ts";
import { readHeads } from "../read-triggers.ts";
import type { FullRowList } from "../row.ts";
import { createRowList } from "../row.ts";
import { inSlots } from "../slot-condition.ts";
import { createRepeatedTask, type RepeatedTask } from "./repeated-task.ts";

/** What finding triggers needs of its node. */
export interface TriggerParts {
  readonly query: Query;
  readonly logger: Logger;
  readonly pollMs: number;
  /** The slots whose triggers run here. */
  slots(): readonly number[];
  submit(rows: FullRowList): Promise<void>;
  found(heads: readonly TriggerHead[]): void;
}

/** At most so many are read at once. */
const pageSize = 1_000;

/** Notes that the owner of their source has seen triggers. */
async function markSeen(submit: TriggerParts["submit"], ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const list = createRowList();
  for (const id of ids) list.add("seeTrigger", `inbox:${id}`, id);
  await submit(list);
}

/** Finds the triggers that other nodes stored for sources of this one. Each is found once. */
export function createTriggerPump({ query, logger, pollMs, slots, submit, found }: TriggerParts): RepeatedTask {
  // Handed over, and not noted yet: their commit failed.
  const noted = new Set<string>();
  async function look(): Promise<void> {
    for (;;) {
      const mine = slots();
      if (mine.length === 0) return;
      const listed = await readHeads(
        query,
        `WHERE i.unseen AND ${inSlots("i.source_id", 1)} ORDER BY i.at, i.position LIMIT ${pageSize}`,
        mine,
      );
      if (listed.length === 0) return;
      // Slots may have gone to another node meanwhile, which reads all that waits.
      const still = new Set(slots());
      const heads = listed.map(({ head }) => head).filter(({ sourceId }) => still.has(slotOf(sourceId)));
      const fresh = heads.filter(({ id }) => !noted.has(id));
      for (const { id } of heads) noted.add(id);
      if (fresh.length > 0) found(fresh);
      await markSeen(
        submit,
        heads.map(({ id }) => id),
      );
      for (const { id } of heads) noted.delete(id);
      if (listed.length < pageSize) return;
    }
  }
  return createRepeatedTask(pollMs, look, (error) =>
    logger.debug?.("triggers of other nodes cannot be read yet", { error: String(error) }),
  );
}

/** All triggers of slots that this node has just gained, oldest first; they are seen. */
export async function seeTriggers(
  query: Query,
  slots: Slots,
  submit: TriggerParts["submit"],
): Promise<readonly TriggerHead[]> {
  const listed = await readHeads(query, `WHERE ${inSlots("i.source_id", 1)} ORDER BY i.at, i.position`, slots.list);
  await markSeen(
    submit,
    listed.filter(({ unseen }) => unseen).map(({ head }) => head.id),
  );
  return listed.map(({ head }) => head);
}
