import type { Json, PropShape } from "@x/model";
import type { ConfiguredProps } from "../contract.ts";
import { propKind } from "./prop-type.ts";
import { labelledValue, plainValue } from "./label-value.ts";

/** What the component reads: the static value of the prop, else the configured one, else its default; undefined for none. */
export function valueOrDefault(prop: PropShape, configured: ConfiguredProps): Json | undefined {
  if (propKind(prop.type) === "dir") return { path: "/tmp" };
  const given = Object.hasOwn(configured, prop.name) ? configured[prop.name] : undefined;
  const value = prop.static ?? given ?? prop.default;
  if (value === undefined) return undefined;
  return prop.withLabel === true ? labelledValue(value) : plainValue(value);
}
