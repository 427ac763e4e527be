/** True when each word is in one of the texts, in any case: the rule of `q` at the service. */
export function hasWords(texts: readonly (string | null | undefined)[], words: string): boolean {
  const text = texts.join("\n").toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
