import { didYouMean, pointer, type Problem } from "@x/model";
import { isFunction, isRecord, shownValue } from "../shown-value.ts";

/** A prop's fields as declared, before they are checked. */
export type RawProp = { readonly [field: string]: unknown };

const deepest = 8;

type Refuse = (path: string, message: string) => undefined;

interface Reference {
  readonly wanted: string;
  readonly definition: unknown;
}

/** Finds the definition that `[app, name, inputs]` names. */
function findDefinition(name: string, reference: unknown, at: string, refuse: Refuse): Reference | undefined {
  const what = `propDefinition of prop "${name}"`;
  if (!Array.isArray(reference) || reference.length < 2 || reference.length > 3) {
    return refuse(at, `${what} must be [app, name] or [app, name, inputs], got ${shownValue(reference)}`);
  }
  const [app, wanted, inputs] = reference as unknown[];
  if (!isRecord(app) || isFunction(app)) {
    return refuse(`${at}/0`, `${what} must begin with the app object itself, got ${shownValue(app ?? undefined)}`);
  }
  if (typeof wanted !== "string") {
    return refuse(`${at}/1`, `${what} must name a prop definition as text, got ${shownValue(wanted)}`);
  }
  if (inputs !== undefined && inputs !== null && !isRecord(inputs)) {
    return refuse(`${at}/2`, `The inputs of ${what} must be an object or a function, got ${shownValue(inputs)}`);
  }
  const definitions = isRecord(app["propDefinitions"]) ? app["propDefinitions"] : {};
  if (Object.hasOwn(definitions, wanted)) return { wanted, definition: definitions[wanted] };
  const appName = typeof app["app"] === "string" ? `App "${app["app"]}"` : "The app";
  const hint = didYouMean(wanted, Object.keys(definitions));
  return refuse(`${at}/1`, `${appName} has no prop definition "${wanted}"${hint}, which prop "${name}" refers to`);
}

/**
 * Expands the short form of a prop (R051) and merges in the definition that it refers to; its own fields have precedence
 * (R046). Returns undefined, and adds the reasons to `problems`, when that is not possible.
 */
export function resolveProp(
  name: string,
  declared: unknown,
  problems: Problem[],
  path: string = pointer("props", name),
  depth = 0,
): RawProp | undefined {
  const refuse: Refuse = (at, message) => {
    problems.push({ path: at, message });
  };
  if (typeof declared === "string") return { type: declared };
  if (!isRecord(declared) || isFunction(declared)) {
    return refuse(path, `Prop "${name}" must be an object or the name of a type, got ${shownValue(declared)}`);
  }
  if (!Object.hasOwn(declared, "propDefinition") || declared["propDefinition"] === null) return declared;

  const at = `${path}/propDefinition`;
  const { propDefinition: reference, ...local } = declared;
  const found = findDefinition(name, reference, at, refuse);
  if (!found) return undefined;
  if (depth >= deepest)
    return refuse(at, `propDefinition of prop "${name}" refers to more than ${deepest} definitions in a row`);
  const definition = resolveProp(
    name,
    found.definition,
    problems,
    `${at}/0${pointer("propDefinitions", found.wanted)}`,
    depth + 1,
  );
  return definition && { ...definition, ...local };
}
