import type { Arguments } from "../arguments/arguments.ts";

/** The address of a flag. An IPv6 address may have the brackets that it has in URLs. */
export const readHost = (args: Arguments, flag = "host"): string =>
  (args.text(flag) ?? "127.0.0.1").replace(/^\[(.+)\]$/, "$1");
