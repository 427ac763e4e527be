/** Characters of a host in a URL; names have at most 253. */
export const maxHostChars: number = 1_024;
/** Schemes whose hosts the parser normalizes. */
const namedHostSchemes = /^(?:https?|wss?|ftp|file):/i;
const anyScheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * True for a URL, absolute or relative, whose host is longer than any name. Check this before parsing: the time to parse a
 * host grows with the square of its length, and nothing can interrupt it.
 */
export function hasLongHost(url: string): boolean {
  if (url.length <= maxHostChars) return false;
  const text = url.replace(/[\t\n\r]/g, "").replace(/^[\0- ]+/, "");
  const scheme = namedHostSchemes.exec(text)?.[0];
  if (scheme === undefined && (anyScheme.test(text) || !/^[\\/]{2}/.test(text))) return false;
  const [authority = ""] = text
    .slice(scheme?.length ?? 0)
    .replace(/^[\\/]+/, "")
    .split(/[\\/?#]/, 1);
  return authority.length - authority.lastIndexOf("@") - 1 > maxHostChars;
}
