import type { Page, Paged } from "@x/model";

import type { ListQuery } from "./queries.ts";

interface Listed {
  readonly id: string;
}

/** Read at a time. */
const slice = { limit: 100, bytes: 256 * 1024, total: false } as const;

/**
 * Every item of a list between two cursors, in its order; with `before` alone from the cursor on towards the newest. Reads a slice when the
 * one before is used up.
 */
export async function* listItems<T extends Listed>(
  read: (page: ListQuery) => Promise<Paged<T>>,
  { after, before }: Pick<Page, "after" | "before"> = {},
): AsyncGenerator<T, void> {
  const backwards = before !== undefined && after === undefined;
  let cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
  for (;;) {
    const { items } = await read({ ...slice, ...cursors });
    const end = backwards ? items[0] : items.at(-1);
    if (!end) return;
    yield* backwards ? items.toReversed() : items;
    cursors = backwards ? { before: end.id } : { ...cursors, after: end.id };
  }
}
