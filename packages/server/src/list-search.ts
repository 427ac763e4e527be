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

/** What a search finds in a list that is whole. */
export function searchItems<T>(
  items: readonly T[],
  { q = "" }: SearchQuery,
  textsOf: (item: T) => readonly (string | null | undefined)[],
  idOf: (item: T) => string | undefined = () => undefined,
): readonly T[] {
  const isFound = parseSearch(q);
  return isFound ? items.filter((item) => isFound(textsOf(item), idOf(item))) : items;
}
