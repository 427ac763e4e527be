import type { LeftItem, LeftWork } from "../contract.ts";
import type { BundleStack } from "./bundle-text.ts";
import { parseGuestJson } from "./guest-json.ts";

const mostTold = 20;
const mostParts = 8 * mostTold;
const longestDetail = 200;
const longestStack = 8_192;
const kinds: readonly unknown[] = [
  "timer",
  "interval",
  "request",
  "emit",
  "db",
  "respond",
] satisfies LeftItem["kind"][];
const isKind = (kind: unknown): kind is LeftItem["kind"] => kinds.includes(kind);

function readItem(given: unknown, stackOf: BundleStack): LeftItem[] {
  const { kind, detail, stack } = given as { kind: unknown; detail: unknown; stack: unknown };
  if (!isKind(kind)) return [];
  return [
    {
      kind,
      detail: String(detail).slice(0, longestDetail),
      stack: stackOf(String(stack).slice(0, longestStack)),
    },
  ];
}

/** What the prelude says of work that is left; undefined when there is none. Throws when it is malformed. */
export function readLeft(text: string, stackOf: BundleStack): LeftWork | undefined {
  const { count, items } = parseGuestJson(text, mostParts) as { count: unknown; items: readonly unknown[] };
  const told = items.slice(0, mostTold).flatMap((item) => readItem(item, stackOf));
  return told.length === 0 ? undefined : { count: Math.max(told.length, Math.trunc(Number(count)) || 0), told };
}
