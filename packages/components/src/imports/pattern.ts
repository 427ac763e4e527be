/** The key that a specifier matches, and what its `*` stands for. */
export interface MatchedPattern {
  readonly key: string;
  readonly star: string;
}

/** Matches keys of `paths` and `imports`: the key itself, else the one with the longest text before its `*`. */
export function matchPattern(keys: readonly string[], specifier: string): MatchedPattern | undefined {
  if (!specifier.includes("*") && keys.includes(specifier)) return { key: specifier, star: "" };
  let best: (MatchedPattern & { readonly before: number }) | undefined;
  for (const key of keys) {
    const at = key.indexOf("*");
    const end = key.slice(at + 1);
    if (at < 0 || end.includes("*") || specifier.length < key.length - 1) continue;
    if (!specifier.startsWith(key.slice(0, at)) || !specifier.endsWith(end)) continue;
    if (best === undefined || at > best.before || (at === best.before && key.length > best.key.length))
      best = { key, star: specifier.slice(at, specifier.length - end.length), before: at };
  }
  return best;
}
