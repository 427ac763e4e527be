/** Characters of a host in a URL; names have at most 253. */
const longestHost = 1_024;
/** Schemes whose hosts are names: others keep what stands there as it is. */
const named = /^(?:https?|wss?|ftp|file):/i;
const anyScheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * True for a URL, absolute or relative, whose host is longer than any name. Parsing it takes time that grows with the
 * square of its length, in one step that nothing can interrupt: ask before the parser.
 */
export function hasLongHost(url: string): boolean {
  if (url.length <= longestHost) return false;
  const text = url.replace(/[\t\n\r]/g, "").replace(/^[\0- ]+/, "");
  const scheme = named.exec(text)?.[0];
  if (scheme === undefined && (anyScheme.test(text) || !/^[\\/]{2}/.test(text))) return false;
  const [authority = ""] = text
    .slice(scheme?.length ?? 0)
    .replace(/^[\\/]+/, "")
    .split(/[\\/?#]/, 1);
  return authority.length - authority.lastIndexOf("@") - 1 > longestHost;
}
