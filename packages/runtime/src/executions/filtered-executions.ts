import { setImmediate } from "node:timers/promises";

import type { ExecutionPage, StoredExecution } from "../api/executions-api.ts";
import type { Paged } from "@x/model";
import type { Store } from "@x/store";

export interface FilterParts {
  /** Reads a page by the conditions of the store. */
  read(page: ExecutionPage): Promise<Paged<StoredExecution>>;
  readonly search: Store["searchExecutions"];
  isStored(id: string): Promise<boolean>;
}

/** Read at a time; other requests run between two of them. */
const sliceItems = 1_000;
const searchedAtOnce = 20;
/** The newest so many are looked at. */
const maxItems = 10_000;
/** Most bytes of records that one search reads. */
const maxBytes = 64 * 1024 * 1024;

/** True for a page whose conditions the store does not decide alone. */
export const isFiltered = ({ text = "", trigger, minMs, events }: ExecutionPage): boolean =>
  text !== "" || trigger !== undefined || minMs !== undefined || events !== undefined;

function fits(execution: StoredExecution, { trigger, minMs = 0, events }: ExecutionPage): boolean {
  if (trigger !== undefined && execution.type !== trigger) return false;
  if (execution.durationMs < minMs) return false;
  if (events === "emitted") return execution.emittedCount > 0;
  if (events === "none") return execution.emittedCount === 0;
  return events === undefined || execution.deduped > 0;
}

/** The conditions of the store. */
const storedConditions = ({ status, since }: ExecutionPage): Pick<ExecutionPage, "status" | "since"> => ({
  ...(status && { status }),
  ...(since !== undefined && { since }),
});

/** Keeps an item on a page that is full: at its end, or else none. */
function keep<T>(items: T[], item: T, limit: number, fromEnd: boolean): void {
  items.push(item);
  if (items.length <= limit) return;
  if (fromEnd) items.shift();
  else items.pop();
}

/** A page of the executions that match, among the newest ones; its total is that of those. */
export async function filteredExecutions(page: ExecutionPage, parts: FilterParts): Promise<Paged<StoredExecution>> {
  const { limit, after, before, text = "" } = page;
  const conditions = storedConditions(page);
  // With `before` alone the page ends at the cursor.
  const fromEnd = before !== undefined && after === undefined;
  const isKnown = after !== undefined && (await parts.isStored(after));
  let bytesLeft = maxBytes;
  let left = maxItems;
  let isPast = after === undefined;
  let isEnded = false;
  let totalCount = 0;
  const items: StoredExecution[] = [];

  async function withText(found: readonly StoredExecution[]): Promise<readonly StoredExecution[]> {
    if (text === "") return found;
    const have = new Set<string>();
    for (let at = 0; at < found.length && bytesLeft > 0; at += searchedAtOnce) {
      const some = found.slice(at, at + searchedAtOnce).map(({ id }) => id);
      for (const { id, bytes, found: has } of await parts.search(some, text)) {
        bytesLeft -= bytes;
        if (has) have.add(id);
      }
      await setImmediate();
    }
    return found.filter(({ id }) => have.has(id));
  }

  for (let cursor: string | undefined; left > 0 && bytesLeft > 0; left -= sliceItems) {
    const slice = await parts.read({
      ...conditions,
      limit: sliceItems,
      ...(cursor !== undefined && { after: cursor }),
    });
    const matching = new Set(await withText(slice.items.filter((item) => fits(item, page))));
    totalCount += matching.size;
    for (const item of slice.items) {
      const { id } = item;
      if (id === before) isEnded = true;
      if (matching.has(item) && !isEnded && (isPast || (!isKnown && id < (after ?? ""))))
        keep(items, item, limit, fromEnd);
      if (id === after) isPast = true;
    }
    cursor = slice.items.at(-1)?.id;
    if (slice.items.length < sliceItems) break;
    await setImmediate();
  }
  return { totalCount, items };
}
