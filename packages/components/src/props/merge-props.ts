import { isDeepStrictEqual } from "node:util";

import {
  XError,
  limitedHints,
  listedNames,
  pointer,
  type ComponentShape,
  type Json,
  type Problem,
  type PropShape,
} from "@x/model";
import type { ConfiguredProps, ReadVerify } from "../contract.ts";
import { plainValue } from "./label-value.ts";
import { propKind } from "./prop-type.ts";
import { isRecord, shownValue } from "../shown-value.ts";
import { secretMarker } from "./secret-marker.ts";
import { declaredTimer, parseTimer, sameTimer, timerJson } from "./timer-value.ts";
import { verifyOf } from "./verify-value.ts";

const valueBytes = 64 * 1024;

/** The parameter with the values: of `deploy` and `update`, or of calls for props that are not complete yet. */
export type PropsParameter = "props" | "configuredProps";

export interface MergedProps {
  /** Normalised values in declaration order; not yet checked against their types. */
  readonly values: ReadonlyMap<string, Json>;
  readonly problems: Problem[];
}

/** Merges the given values into the previous ones, by prop. Null unsets a value (G58); the marker of a secret keeps it (G33). */
export function mergeGiven(
  shape: ComponentShape,
  given: unknown,
  previous: ConfiguredProps,
  { parameter, readVerify }: { readonly parameter: PropsParameter; readonly readVerify: ReadVerify },
): MergedProps {
  const problems: Problem[] = [];
  const merged = new Map(Object.entries(previous));
  if (given !== undefined && !isRecord(given)) {
    problems.push({ path: pointer(parameter), message: `must be an object, got ${shownValue(given)}` });
  }
  const hint = limitedHints();
  const byName = new Map(shape.props.map((prop) => [prop.name, prop]));
  let unknown = 0;
  for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
    if (value === undefined) continue;
    const prop = byName.get(name);
    if (!prop && (unknown += 1) > listedNames) continue;
    const problem = prop
      ? mergeValue(prop, value, merged, readVerify)
      : `Component ${shape.name} has no prop "${name.slice(0, 60)}"${hint(name, byName.keys())}`;
    if (problem !== undefined) problems.push({ path: pointer(parameter, name), message: problem });
  }
  const others = unknown - listedNames;
  if (others > 0) problems.push({ path: pointer(parameter), message: `has ${others} more that are no props` });
  return { values: completed(shape, merged), problems };
}

/** Keeps the values of declared props, and adds the schedule of each timer. */
function completed(shape: ComponentShape, merged: ReadonlyMap<string, Json>): Map<string, Json> {
  const values = new Map<string, Json>();
  for (const prop of shape.props) {
    const value = merged.get(prop.name);
    const kind = propKind(prop.type);
    if (kind === "timer") {
      const configured = prop.static === undefined && value !== undefined ? parseTimer(value).timer : undefined;
      values.set(prop.name, timerJson(configured ?? declaredTimer(prop)));
    } else if ((kind === "value" || kind === "app" || kind === "http") && value !== undefined) {
      values.set(prop.name, value);
    }
  }
  return values;
}

/** Copies one value into `merged`, or returns the problem. */
function mergeValue(
  prop: PropShape,
  given: unknown,
  merged: Map<string, Json>,
  readVerify: ReadVerify,
): string | undefined {
  const { name, type } = prop;
  const value = asJson(given);
  if (value === undefined) return `Prop "${name}" must be a JSON value`;
  if (Buffer.byteLength(JSON.stringify(value)) > valueBytes) {
    return `Prop "${name}" must be at most ${valueBytes} bytes of JSON`;
  }
  const kind = propKind(type);
  if (value === null) {
    // An endpoint stays verified until `verify` itself is null.
    if (kind !== "http") merged.delete(name);
    return undefined;
  }
  switch (kind) {
    case "alert":
      return `Prop "${name}" is an alert and takes no value`;
    case "http":
    case "db":
    case "dir":
      // Clients send back what responses show, for example the URL of an endpoint, which cannot be configured.
      if (!isRecord(value) && value !== type)
        return `Prop "${name}" of type ${type} takes no value, got ${shownValue(value)}`;
      return kind === "http" ? mergeVerify(name, verifyOf(value), merged, readVerify) : undefined;
    case "apphook":
      return isEcho(value) || value === type
        ? undefined
        : `Prop "${name}" of type ${type} takes no value: the component says what it listens to`;
    case "timer": {
      const parsed = parseTimer(value);
      if (parsed.problem !== undefined) return `Prop "${name}" ${parsed.problem}`;
      if (!parsed.timer) return `Prop "${name}" must set intervalSeconds or cron`;
      if (prop.static !== undefined && !sameTimer(parsed.timer, declaredTimer(prop))) {
        return `Prop "${name}" is fixed by the component and cannot be configured`;
      }
      merged.set(name, timerJson(parsed.timer));
      return undefined;
    }
    case "value":
      if (prop.static !== undefined && !isDeepStrictEqual(plainValue(value), plainValue(prop.static))) {
        return `Prop "${name}" is fixed by the component and cannot be configured`;
      }
      if (prop.secret === true && isSecretMarker(value)) {
        return merged.has(name) ? undefined : `Prop "${name}" has no stored value that {"__secret": true} could keep`;
      }
      merged.set(name, value);
      return undefined;
    case "app":
      merged.set(name, value);
  }
  return undefined;
}

/** What responses show of an apphook prop. */
const isEcho = (value: Json): boolean =>
  isRecord(value) && Object.keys(value).every((name) => name === "event_names" || name === "endpoint_url");

/** Sets or removes how requests to an endpoint are verified, or returns the problem. */
function mergeVerify(
  name: string,
  verify: Json | undefined,
  merged: Map<string, Json>,
  readVerify: ReadVerify,
): string | undefined {
  if (verify === null) merged.delete(name);
  if (verify === undefined || verify === null) return undefined;
  try {
    merged.set(name, { verify: readVerify(verify, verifyOf(merged.get(name))) });
    return undefined;
  } catch (error) {
    if (!XError.is(error) || error.code !== "invalid_parameter") throw error;
    return `Prop "${name}" cannot be verified: ${error.message}`;
  }
}

const isSecretMarker = (value: Json): boolean => isDeepStrictEqual(value, { ...secretMarker });

/** A JSON copy of a value; undefined when it cannot be represented as JSON. */
function asJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}
