import { type AppDefinition, isApp } from "./self.ts";

/** Distinct values in a component. */
const nodeLimit = 20_000;
/** Values in the JSON text; a value counts once per occurrence. */
const writtenLimit = 20 * nodeLimit;
const depthLimit = 24;
const deepestDefinition = 8;

class DescriptionTooLarge extends Error {}

interface Description {
  readonly shown: unknown;
  /** Values in it. */
  readonly size: number;
  /** Levels below it. */
  readonly height: number;
}

const leaf = (shown: unknown): Description => ({ shown, size: 1, height: 0 });

/** The JSON text of a value: functions become `{"$function": true}`; cycles are dropped. Throws when it is too large. */
export function describe(value: unknown): string {
  let nodes = 0;
  let cycles = 0;
  const ancestors = new Set<object>();
  const known = new Map<object, Description>();

  const describeValue = (each: unknown, depth: number): Description => {
    const found = known.get(each as object) ?? describeNew(each, depth);
    if (nodes > nodeLimit || found.size > writtenLimit || depth + found.height > depthLimit)
      throw new DescriptionTooLarge("The component object is too large or too deep to describe");
    return found;
  };
  const describeNew = (each: unknown, depth: number): Description => {
    nodes += 1;
    if (nodes > nodeLimit || depth > depthLimit) return leaf(undefined);
    if (typeof each === "function") return leaf({ $function: true });
    if (typeof each === "bigint" || typeof each === "symbol") return leaf(String(each));
    if (typeof each !== "object" || each === null) return leaf(each);
    if (each instanceof Date || each instanceof RegExp) return leaf(String(each));
    if (ancestors.has(each)) {
      cycles += 1;
      return leaf(undefined);
    }
    ancestors.add(each);
    const before = cycles;
    let size = 1;
    let height = 0;
    const part = (item: unknown): unknown => {
      const inner = describeValue(item, depth + 1);
      size += inner.size;
      height = Math.max(height, inner.height + 1);
      return inner.shown;
    };
    let shown: unknown;
    if (Array.isArray(each)) shown = each.map((item) => part(item) ?? null);
    else {
      const fields = Object.create(null) as Record<string, unknown>;
      for (const key of Object.keys(each)) fields[key] = part((each as Record<string, unknown>)[key]);
      shown = fields;
    }
    ancestors.delete(each);
    const description = { shown, size, height };
    // A description without its cycles is not the one to reuse elsewhere.
    if (cycles === before) known.set(each, description);
    return description;
  };
  return JSON.stringify(describeValue(value, 0).shown) ?? "null";
}

type Fields = Record<string, unknown>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const member = (fields: unknown, name: string): unknown =>
  isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;

/** The fields of a definition; null for those that are given as undefined, which JSON cannot hold: they take inherited ones away. */
const withNulls = (definition: Fields): Fields =>
  Object.fromEntries(Object.keys(definition).map((field) => [field, definition[field] ?? null]));

/** A definition without the parts of its app that it does not refer to, so that many props of a large app can be described. */
function trimmed(definition: unknown, depth = 0): unknown {
  if (!isFields(definition)) return definition;
  if (isApp(definition)) return withoutMembers(definition);
  const { propDefinition } = definition;
  if (!Array.isArray(propDefinition) || depth >= deepestDefinition) return definition;
  const [app, name, ...inputs] = propDefinition as unknown[];
  const found = member(member(app, "propDefinitions"), String(name));
  if (found === undefined || typeof name !== "string") return definition;
  const slim = { type: "app", app: member(app, "app"), propDefinitions: { [name]: trimmed(found, depth + 1) } };
  return { ...withNulls(definition), propDefinition: [slim, name, ...inputs] };
}

const withoutMembers = (app: AppDefinition): Fields => ({ ...app, methods: undefined, propDefinitions: undefined });

/** Describes definitions of props by name. */
export const describeProps = (props: Fields): string => describe(trimmedProps(props));

const trimmedProps = (props: Fields): Fields =>
  Object.fromEntries(Object.keys(props).map((name) => [name, trimmed(props[name])]));

/** Describes the component that a module exports. */
export function describeComponent(component: unknown): string {
  if (!isFields(component) || !isFields(component["props"])) return describe(component);
  return describe({ ...component, props: trimmedProps(component["props"]) });
}
