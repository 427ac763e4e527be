import type { Attack } from "../attack.ts";

/** The answers of a hostile name server, one list for each query. */
export interface NameServer extends Attack {
  readonly answers: readonly (readonly string[])[];
}

const open = "93.184.216.34";
const rows: readonly (readonly [id: string, ...answers: (readonly string[])[]])[] = [
  ["private", ["127.0.0.1"]],
  ["private-behind-public", [open, "127.0.0.1"]],
  ["private-before-public", ["10.0.0.1", open]],
  ["mapped", ["::ffff:127.0.0.1"]],
  ["mapped-hex", ["::ffff:7f00:1"]],
  ["zone", ["fe80::1%lo"]],
  ["unspecified", ["0.0.0.0"]],
  ["unspecified-v6", ["::"]],
  ["metadata", ["169.254.169.254"]],
  ["nat64", ["64:ff9b::7f00:1"]],
  ["no-address", ["localhost"]],
  ["octal", ["0177.0.0.1"]],
  ["empty-text", [""]],
  ["none", []],
];

export const nameServers: readonly NameServer[] = rows.map(([id, ...answers]) => ({
  id: `dns-${id}`,
  class: "addresses",
  promise: "egress-pinned",
  answers,
}));
