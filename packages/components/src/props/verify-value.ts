import type { Json } from "@x/model";
import { isRecord } from "../shown-value.ts";
import { secretMarker } from "./secret-marker.ts";

/** How requests to the endpoint of an HTTP prop are verified, from the prop's value; undefined when they are not. */
export const verifyOf = (value: Json | undefined): Json | undefined =>
  isRecord(value) && Object.hasOwn(value, "verify") ? value["verify"] : undefined;

/** The secrets in the value of an HTTP prop. */
export function verifySecrets(value: Json | undefined): readonly Json[] {
  const verify = verifyOf(value);
  return isRecord(verify) ? [...secrets].map((name) => verify[name] ?? null) : [];
}

const secrets: ReadonlySet<string> = new Set(["secret", "verify_token"]);

/** The value of an HTTP prop as clients see it: markers stand for its secrets. */
export function shownEndpointValue(value: Json | undefined): { readonly verify?: Json } {
  const verify = verifyOf(value);
  if (!isRecord(verify)) return {};
  const shown = Object.entries(verify).filter(
    ([name, each]) => name !== "secret" || !Array.isArray(each) || each.length > 0,
  );
  return {
    verify: Object.fromEntries(shown.map(([name, each]) => [name, secrets.has(name) ? { ...secretMarker } : each])),
  };
}
