import { XError } from "@x/model";
import type { NetworkOptions } from "../api/options.ts";
import { findAddress, findNetwork, isInside, privateKind } from "./address.ts";

/** Decides which addresses requests may reach. A request checks its URL first, then each address of its host. */
export interface Policy {
  /** The rule that forbids the URL; undefined when its host may be looked up. */
  forbiddenUrl(url: URL): string | undefined;
  /** The rule that forbids a connection to this address of the host; undefined when it is allowed. */
  forbiddenAddress(address: string, host: string): string | undefined;
}

interface Rules {
  readonly names: ReadonlySet<string>;
  readonly suffixes: readonly string[];
  readonly networks: readonly NonNullable<ReturnType<typeof findNetwork>>[];
}

/** Normalizes a host: lower case, without the final dot. */
const hostOf = (hostname: string): string => hostname.toLowerCase().replace(/(?<!\.)\.+$/, "");

const isHostName = (text: string): boolean => URL.canParse(`http://${text}/`) && /^[^\s/?#@\\:]+$/.test(text);

function parseRules(option: string, entries: readonly string[]): Rules {
  const names = new Set<string>();
  const suffixes: string[] = [];
  const networks: Rules["networks"][number][] = [];
  for (const entry of entries) {
    const network = findNetwork(entry);
    const name = entry.startsWith("*.") ? entry.slice(2) : entry;
    if (network) networks.push(network);
    else if (!isHostName(name) || name.includes("*"))
      throw new XError("invalid_options", [
        option,
        "a list of hosts, *.suffixes, addresses or CIDRs",
        JSON.stringify(entry),
      ]);
    else if (name === entry) names.add(hostOf(new URL(`http://${name}/`).hostname));
    else suffixes.push(`.${hostOf(new URL(`http://${name}/`).hostname)}`);
  }
  return { names, suffixes, networks };
}

const namesMatch = (rules: Rules, host: string): boolean =>
  rules.names.has(host) || rules.suffixes.some((suffix) => host.endsWith(suffix));

function networksMatch(rules: Rules, address: string): boolean {
  const parsed = findAddress(address);
  return parsed !== undefined && rules.networks.some((network) => isInside(parsed, network));
}

const localName = /^(.+\.)?localhost$/;

/** Parses the options. `open` allows kinds of addresses that `deny-private` forbids. Throws `invalid_options`. */
export function parsePolicy(
  options: NetworkOptions,
  open: { readonly loopback: boolean } = { loopback: false },
): Policy {
  const mode = options.mode ?? "deny-private";
  const allow = options.allow && parseRules("network.allow", options.allow);
  const deny = parseRules("network.deny", options.deny ?? []);

  const forbiddenAddress = (address: string, host: string): string | undefined => {
    if (mode === "none") return "the network is off";
    const parsed = findAddress(address);
    if (!parsed) return "it is not an address";
    if (namesMatch(deny, hostOf(host)) || networksMatch(deny, address)) return "it is on the deny list";
    if (allow && !namesMatch(allow, hostOf(host)) && !networksMatch(allow, address))
      return "it is not on the allow list";
    const kind = mode === "deny-private" ? privateKind(parsed) : undefined;
    if (kind === "loopback" && open.loopback) return undefined;
    return kind && `${kind} addresses are denied`;
  };

  return {
    forbiddenAddress,
    forbiddenUrl(url) {
      if (mode === "none") return "the network is off";
      if (url.protocol !== "http:" && url.protocol !== "https:") return "only http and https are allowed";
      const host = hostOf(url.hostname);
      if (host === "") return "it has no host";
      if (findAddress(host)) return forbiddenAddress(host, host);
      if (namesMatch(deny, host)) return "it is on the deny list";
      // If the allow list has networks, the addresses decide.
      if (allow && !namesMatch(allow, host) && allow.networks.length === 0) return "it is not on the allow list";
      return mode === "deny-private" && !open.loopback && localName.test(host)
        ? "loopback addresses are denied"
        : undefined;
    },
  };
}
