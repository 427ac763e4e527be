import type { LookupFunction } from "node:net";

import type { Agent } from "undici";

import { XError } from "@x/model";
import { createLookup, type Lookup, type ResolvedAddress } from "./lookup.ts";
import type { Policy } from "./policy.ts";

/**
 * Looks up a host once and checks every address. The socket connects to exactly these addresses, so that another answer of
 * the name server cannot redirect it.
 */
export function createPinnedLookup(policy: Policy, lookup: Lookup = createLookup()): LookupFunction {
  const check = async (host: string): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> => {
    const [first, ...others] = await lookup(host);
    if (!first) throw new Error(`no address for ${host}`);
    for (const { address } of [first, ...others]) {
      const rule = policy.forbiddenAddress(address, host);
      if (rule !== undefined) throw new XError("address_forbidden", [host, rule], { details: { host } });
    }
    return [first, ...others];
  };
  return (host, options, callback) => {
    check(host).then(
      (addresses) => {
        if (options.all) callback(null, [...addresses]);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

const maxConnectMs = 10_000;

/** Loads the library before the first request needs it. */
export async function loadHttpClient(): Promise<void> {
  await import("undici");
}

/**
 * Creates an agent that keeps connections alive, without proxy, redirects, cache or cookies, for HTTP/1.1 only. Loads the
 * library here, because it would be the largest part of the runtime's start time.
 */
export async function createAgent(timeoutMs: number, lookup: LookupFunction | undefined): Promise<Agent> {
  const { Agent: UndiciAgent } = await import("undici");
  return new UndiciAgent({
    allowH2: false,
    // The shares limit them by sender; a limit here would let one sender block others.
    connections: null,
    connect: { timeout: Math.min(maxConnectMs, timeoutMs), ...(lookup && { lookup }) },
    keepAliveMaxTimeout: 30_000,
    // The callers limit the time of the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
