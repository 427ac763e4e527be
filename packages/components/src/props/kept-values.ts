import { isDeepStrictEqual } from "node:util";

import { cutText, pointer, type ComponentShape, type ComponentWarning, type Json, type PropShape } from "@x/model";
import type { ConfiguredProps } from "../contract.ts";
import { plainValue } from "./label-value.ts";
import { secretMarker } from "./secret-marker.ts";
import { propKind } from "./prop-type.ts";
import { declaredTimer, parseTimer, sameTimer, timerJson } from "./timer-value.ts";

const maxShown = 100;
const maxWarnings = 50;

/** The value of a prop that nobody configured; undefined for none. */
function defaultOf(prop: PropShape): Json | undefined {
  if (prop.static !== undefined) return undefined;
  const kind = propKind(prop.type);
  if (kind === "timer") return timerJson(declaredTimer(prop));
  return kind === "value" ? prop.default : undefined;
}

function isSame({ type }: PropShape, a: Json, b: Json): boolean {
  if (propKind(type) !== "timer") return isDeepStrictEqual(plainValue(a), plainValue(b));
  const [one, other] = [parseTimer(a).timer, parseTimer(b).timer];
  return one !== undefined && other !== undefined && sameTimer(one, other);
}

const shown = (value: Json): string => cutText(JSON.stringify(value), maxShown);

/** A component, and what is configured of it. */
interface Configured {
  readonly shape: ComponentShape;
  readonly values: ConfiguredProps;
}

/** Warns of each prop whose default a new version changes, but whose stored value stays. `given`: values that the change sets. */
export function keptValues(before: ComponentShape, { shape, values }: Configured, given: object): ComponentWarning[] {
  const known = new Map(before.props.map((prop) => [prop.name, prop]));
  const kept = shape.props.flatMap((prop): ComponentWarning[] => {
    const { name } = prop;
    const old = known.get(name);
    const [was, next] = [old && defaultOf(old), defaultOf(prop)];
    const value = Object.hasOwn(values, name) && !Object.hasOwn(given, name) ? values[name] : undefined;
    if (!old || next === undefined || value === undefined || isSame(prop, value, next)) return [];
    if (was !== undefined && isSame(prop, was, next)) return [];
    const stored: Json = prop.secret === true ? { ...secretMarker } : value;
    const message = `Prop "${name}" keeps its stored value ${shown(stored)}, not the new default ${shown(next)}: set ${name} to null to take the default (--props ${name}=null)`;
    return [{ rule: "stored-value-kept", path: pointer("props", name), message, stored, default: next }];
  });
  return kept.slice(0, maxWarnings);
}
