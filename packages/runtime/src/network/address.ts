import { createRequire } from "node:module";
import { isIPv4, isIPv6 } from "node:net";

import type ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Public addresses of cloud services for their own machines, such as metadata. */
const hostServices = new Set(["168.63.129.16"]);

const require = createRequire(import.meta.url);

interface Library extends Pick<typeof ipaddr, "IPv4" | "parse"> {
  readonly globalUnicast: [ipaddr.IPv6, number];
  /** Translated to IPv4 by NAT64. The local prefix 64:ff9b:1::/48 may be translated to anything. */
  readonly wellKnownNat64: [ipaddr.IPv6, number];
}

function loadLibrary(): Library {
  const { IPv4, IPv6, parse } = require("ipaddr.js") as typeof ipaddr;
  return { IPv4, parse, globalUnicast: [IPv6.parse("2000::"), 3], wellKnownNat64: [IPv6.parse("64:ff9b::"), 96] };
}

let loaded: Library | undefined;
/** Loaded with the first address: most programs send no request. */
const library = (): Library => (loaded ??= loadLibrary());

/** Parses an address, with or without brackets; undefined for other texts. */
export function findAddress(text: string): Address | undefined {
  const bare = text.startsWith("[") && text.endsWith("]") ? text.slice(1, -1) : text;
  // `isIPv6` is slow at its first call, so names never reach it.
  const isAddress = bare.includes(":") ? isIPv6(bare) : isIPv4(bare);
  return isAddress ? library().parse(bare.split("%", 1)[0] ?? "") : undefined;
}

/** The address, and the IPv4 address that it embeds, if any. */
function forms(address: Address): Address[] {
  if (address.kind() === "ipv4") return [address];
  const v6 = address as ipaddr.IPv6;
  if (v6.isIPv4MappedAddress()) return [v6, v6.toIPv4Address()];
  const bytes = v6.toByteArray();
  const range = v6.range();
  if (range === "6to4") return [v6, new (library().IPv4)(bytes.slice(2, 6))];
  if (v6.match(library().wellKnownNat64) || range === "rfc6145") return [v6, new (library().IPv4)(bytes.slice(12))];
  return [v6];
}

/** The kind of a non-public address, such as `loopback` or `private`; undefined for a public one. */
export function privateKind(address: Address): string | undefined {
  if (address.kind() === "ipv4") {
    const range = address.range();
    if (range !== "unicast") return range;
    return hostServices.has(address.toString()) ? "metadata" : undefined;
  }
  const v6 = address as ipaddr.IPv6;
  const [, embedded] = forms(v6);
  if (embedded && (v6.isIPv4MappedAddress() || v6.match(library().wellKnownNat64))) return privateKind(embedded);
  const range = v6.range();
  if (range !== "unicast") return range;
  return v6.match(library().globalUnicast) ? undefined : "reserved";
}

/** True when the network contains the address or the IPv4 address that it embeds. */
export function isInside(address: Address, network: readonly [Address, number]): boolean {
  return forms(address).some((form) => form.kind() === network[0].kind() && form.match([network[0], network[1]]));
}

/** Parses `10.0.0.0/8`, `fd00::/8` or a single address; undefined for other texts. */
export function findNetwork(text: string): readonly [Address, number] | undefined {
  const slash = text.lastIndexOf("/");
  const address = findAddress(slash < 0 ? text : text.slice(0, slash));
  if (!address) return undefined;
  const bits = address.kind() === "ipv4" ? 32 : 128;
  if (slash < 0) return [address, bits];
  const prefix = text.slice(slash + 1);
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits ? [address, Number(prefix)] : undefined;
}
