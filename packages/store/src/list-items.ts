import type { Page, Paged } from "@x/model";

import type { ListQuery } from "./queries.ts";

/** An item of a list. */
export interface Listed {
  readonly id: string;
}

/** Items in a slice. */
const limit = 100;

/**
 * Every item of a list between two cursors, in its order; with `before` alone from the cursor on towards the newest. Reads a slice, of at
 * most `bytes`, when the one before is used up.
 */
export async function* listItems<T extends Listed>(
  read: (page: ListQuery) => Promise<Paged<T>>,
  { after, before, bytes }: Pick<Page, "after" | "before" | "bytes"> = {},
): AsyncGenerator<T, void> {
  const backwards = before !== undefined && after === undefined;
  const slice = { limit, total: false, ...(bytes !== undefined && { bytes }) } as const;
  let cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  for (;;) {
    const { items } = await read({ ...slice, ...cursors });
    const end = backwards ? items[0] : items.at(-1);
    if (!end) return;
    yield* backwards ? items.toReversed() : items;
    // Only a limit of bytes makes other slices short.
    if (bytes === undefined && items.length < limit) return;
    cursors = backwards ? { before: end.id } : { ...cursors, after: end.id };
  }
}
