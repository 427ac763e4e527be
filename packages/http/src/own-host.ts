import { isIP } from "node:net";

/** The host name of a Host header or an origin without its port and brackets; undefined for a malformed one. */
function hostNameOf(host: string): string | undefined {
  const url = URL.parse(`http://${host}`);
  return url && url.pathname === "/" && url.username === "" ? url.hostname.replace(/^\[(.*)\]$/, "$1") : undefined;
}

/**
 * Makes a test whether a Host header names this service: loopback, any address, or one of these names. A name of a stranger may
 * lead to this address too (DNS rebinding), and its pages would count as pages of this service. Nobody can rebind an address.
 */
export function ownHosts(names: readonly string[]): (host: string | null) => boolean {
  const known = new Set(["localhost", ...names.map((name) => name.toLowerCase())]);
  return (host) => {
    const name = hostNameOf(host ?? "");
    return name !== undefined && (known.has(name) || isIP(name) !== 0);
  };
}

/** Whether a request was made by a page of another origin. Requests of other programs have no Origin. */
export function isForeign(headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin !== null && URL.parse(origin)?.host !== headers.get("host")) return true;
  const site = headers.get("sec-fetch-site");
  return site === "cross-site" || site === "same-site";
}
