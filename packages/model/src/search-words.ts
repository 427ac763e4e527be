/** Which items of a list are wanted. */
export interface ListFilter {
  /** Words; each is in one of the item's names, URLs or apps, in any case, or begins its id. */
  readonly text?: string;
}

/** True for an item with these texts and this id that a search finds. */
export type SearchTest = (texts: readonly (string | null | undefined)[], id?: string) => boolean;

/**
 * The rule of `q` in lists of things with names: each word is in one of the texts, in any case, or begins the id. An id has letters and digits of
 * its own, so a part from its middle means nothing. Undefined for a search without words, which finds everything.
 */
export function parseSearch(q: string): SearchTest | undefined {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return (texts, id = "") => {
    const text = texts.join("\n").toLowerCase();
    const start = id.toLowerCase();
    return words.every((word) => text.includes(word) || start.startsWith(word));
  };
}
