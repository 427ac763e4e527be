import type { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Finds all addresses of a host. */
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>;

export interface LookupParts {
  /** Asks the name servers, without a thread of the pool. Rejects with the code of the failure. */
  ask(host: string, family: 4 | 6): Promise<readonly string[]>;
  /** Uses `getaddrinfo`, like other programs. Blocks one of the few threads of the pool. */
  readonly system: Lookup;
  /** Reads the hosts file. */
  hosts(): Promise<string>;
}

const hostsFile = process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

function defaultParts(): LookupParts {
  let resolver: Resolver | undefined;
  // Loading the module and making a resolver takes time; most tests of components ask for no name.
  const dns = () => process.getBuiltinModule("node:dns/promises");
  const made = (): Resolver => (resolver ??= new (dns().Resolver)({ timeout: 2_000, tries: 2 }));
  return {
    ask: (host, family) => (family === 4 ? made().resolve4(host) : made().resolve6(host)),
    system: (host) => dns().lookup(host, { all: true }),
    hosts: () => readFile(hostsFile, "utf8").catch(() => ""),
  };
}

/** Half of the thread pool, which files and cryptography need too. */
const maxSystemLookups = 2;
/** No name server answered. The system would wait for them again, and block a thread. */
const noAnswerCodes = new Set(["ETIMEOUT", "ESERVFAIL", "ECANCELLED"]);

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** The error of `getaddrinfo` for an unanswered lookup. */
const unanswered = (host: string, cause: unknown): Error =>
  Object.assign(new Error(`getaddrinfo EAI_AGAIN ${host}`, { cause }), {
    errno: -3001,
    code: "EAI_AGAIN",
    syscall: "getaddrinfo",
    hostname: host,
  });

/** Limits concurrent lookups, and shares lookups of the same host. */
function limited(lookup: Lookup): Lookup {
  const asked = new Map<string, Promise<readonly ResolvedAddress[]>>();
  const waiting: (() => void)[] = [];
  let active = 0;
  async function answer(host: string): Promise<readonly ResolvedAddress[]> {
    if (active >= maxSystemLookups) await new Promise<void>((go) => waiting.push(go));
    else active += 1;
    try {
      return await lookup(host);
    } finally {
      asked.delete(host);
      const next = waiting.shift();
      if (next) next();
      else active -= 1;
    }
  }
  return (host) => {
    const known = asked.get(host) ?? answer(host);
    asked.set(host, known);
    return known;
  };
}

const isNamed = (host: string, hosts: string): boolean =>
  hosts.split("\n").some((line) => {
    const [, ...names] = (line.split("#", 1)[0] ?? "").trim().toLowerCase().split(/\s+/);
    return names.includes(host);
  });

/**
 * Looks up hosts without the thread pool where possible, so that names whose servers do not answer block no other names,
 * files or cryptography. Names of this machine and its network are looked up by the system, a few at a time.
 */
export function createLookup(parts: LookupParts = defaultParts()): Lookup {
  const system = limited(parts.system);
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, "");
    const isOwn = !name.includes(".") || name.endsWith(".localhost") || name.endsWith(".local");
    if (isOwn || isNamed(name, await parts.hosts())) return system(host);
    const found = await Promise.allSettled([parts.ask(host, 4), parts.ask(host, 6)]);
    const addresses = found.flatMap((each, index) =>
      each.status === "fulfilled" ? each.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })) : [],
    );
    if (addresses.length > 0) return addresses;
    const silent = found.find((each) => each.status === "rejected" && noAnswerCodes.has(String(codeOf(each.reason))));
    if (silent?.status === "rejected") throw unanswered(host, silent.reason);
    return system(host);
  };
}
