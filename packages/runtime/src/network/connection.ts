import type { LookupFunction } from "node:net";

import type { Agent } from "undici";

import { XError } from "../model/errors.ts";
import { createLookup, type Lookup, type ResolvedAddress } from "./lookup.ts";
import type { Policy } from "./policy.ts";

/**
 * Looks a host up once and checks every address. The socket connects to exactly these addresses, so that a second
 * answer of the name server cannot lead it elsewhere.
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

const longestConnectMs = 10_000;

/**
 * Keeps connections alive and nothing else: no proxy, no redirect, no cache, no cookie, only HTTP/1.1. The library is
 * loaded now and not with the runtime: it is the largest part of the time to start.
 */
export async function createAgent(timeoutMs: number, lookup: LookupFunction | undefined): Promise<Agent> {
  const { Agent: UndiciAgent } = await import("undici");
  return new UndiciAgent({
    allowH2: false,
    // Who sends bounds them: here those of one would be waited for by others.
    connections: null,
    connect: { timeout: Math.min(longestConnectMs, timeoutMs), ...(lookup && { lookup }) },
    keepAliveMaxTimeout: 30_000,
    // The egress has one time limit for the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
