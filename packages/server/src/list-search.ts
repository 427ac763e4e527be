import { setImmediate } from "node:timers/promises";

import { type ListFilter, parseSearch } from "@x/runtime";

import type { ParameterOf } from "./schema.ts";

export interface SearchQuery {
  readonly q?: string;
}

/** The parameter `q` of a list; `texts` says which ones it looks in. */
export const searchIn = (texts: string): { readonly q: ParameterOf<"string"> } => ({
  q: { type: "string", maxLength: 200, description: `words; each is in ${texts}, in any case` },
});

/** The search as methods of the runtime take it. */
export const readSearch = ({ q }: SearchQuery): ListFilter => (q === undefined ? {} : { text: q });

/** Tested between two pauses. */
const step = 2_000;

/** What a search finds in a list that is whole, with pauses for other work. */
export async function searchItems<T>(
  items: readonly T[],
  { q = "" }: SearchQuery,
  textsOf: (item: T) => readonly (string | null | undefined)[],
  idOf: (item: T) => string | undefined = () => undefined,
): Promise<readonly T[]> {
  const isFound = parseSearch(q);
  if (!isFound) return items;
  const found: T[] = [];
  for (let from = 0; from < items.length; from += step) {
    if (from > 0) await setImmediate();
    for (const item of items.slice(from, from + step)) if (isFound(textsOf(item), idOf(item))) found.push(item);
  }
  return found;
}
