import { XError } from "@x/runtime";

import { isDeadlock, isLost, storeError } from "./failure.ts";
import { type PlannedWrite, planWrites } from "./plan.ts";
import type { FullRowList } from "./row.ts";
import type { Session } from "./session.ts";

/** A commit that waits for its result. */
export interface Waiting {
  readonly rows: FullRowList;
  readonly resolve: () => void;
  readonly reject: (error: XError) => void;
}

/** How a transaction ended. `lost`: the connection went before the answer came, so it may or may not have been committed. */
export type Outcome = "done" | { readonly refused: unknown } | { readonly lost: unknown };

const maxAttempts = 10;

/** Does the work of some commits in one transaction. */
export async function applyBatch(session: Session, number: number, items: readonly Waiting[]): Promise<Outcome> {
  let planned: readonly PlannedWrite[];
  try {
    planned = planWrites(items.flatMap(({ rows }) => rows.rows));
  } catch (error) {
    return { refused: XError.is(error) ? error : storeError("commit", error) };
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await session.apply(number, planned);
      return "done";
    } catch (error) {
      // Commits of several nodes may touch the same rows of webhooks and texts, in any order.
      if (isDeadlock(error) && attempt < maxAttempts) continue;
      return isLost(error) ? { lost: error } : { refused: error };
    }
  }
}
