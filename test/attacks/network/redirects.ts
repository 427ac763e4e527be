import type { Attack } from "../attack.ts";

/** A redirect; `DENIED` is a host that the policy denies and that must get no request. */
export interface Redirect extends Attack {
  readonly status: number;
  readonly location: string;
}

const rows: readonly (readonly [id: string, location: string, status?: number])[] = [
  ["plain", "http://127.0.0.2:PORT/"],
  ["decimal", "http://2130706434:PORT/"],
  ["hex", "http://0x7f000002:PORT/"],
  ["octal", "http://0177.0.0.2:PORT/"],
  ["short", "http://127.2:PORT/"],
  ["trailing-dot", "http://127.0.0.2.:PORT/"],
  ["mapped", "http://[::ffff:127.0.0.2]:PORT/"],
  ["full-width", "http://１２７.0.0.2:PORT/"],
  ["scheme-relative", "//127.0.0.2:PORT/"],
  ["back-slashes", "\\\\127.0.0.2:PORT/"],
  ["user-info", "http://127.0.0.1@127.0.0.2:PORT/"],
  ["tab", "http://127.0.\t0.2:PORT/"],
  ["file", "file:///etc/passwd"],
  ["data", "data:text/plain,canary"],
  ["ftp", "ftp://127.0.0.2:PORT/"],
  ["permanent", "http://127.0.0.2:PORT/", 301],
  ["see-other", "http://127.0.0.2:PORT/", 303],
  ["keeps-method", "http://127.0.0.2:PORT/", 308],
  ["loop", "SELF"],
  ["loop-with-query", "SELF?again"],
];

export const redirects: readonly Redirect[] = rows.map(([id, location, status = 302]) => ({
  id: `redirect-${id}`,
  class: "redirects",
  promise: "egress-pinned",
  status,
  location,
}));
