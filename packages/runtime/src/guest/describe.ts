import { type AppDefinition, isApp } from "./self.ts";

/** Parts of a component, each counted once, wherever it stands. */
const nodeLimit = 20_000;
/** What is written: a part counts in each place where it stands. */
const writtenLimit = 20 * nodeLimit;
const depthLimit = 24;
const deepestDefinition = 8;

class DescriptionTooLarge extends Error {}

interface Picture {
  readonly shown: unknown;
  /** Parts in it. */
  readonly size: number;
  /** Levels below it. */
  readonly height: number;
}

const leaf = (shown: unknown): Picture => ({ shown, size: 1, height: 0 });

/** A JSON-safe picture of a value: functions are `{"$function": true}`, what JSON cannot hold is dropped. */
export function describe(value: unknown): string {
  let nodes = 0;
  let cycles = 0;
  const around = new Set<object>();
  const known = new Map<object, Picture>();

  const take = (each: unknown, depth: number): Picture => {
    const picture = known.get(each as object) ?? look(each, depth);
    if (nodes > nodeLimit || picture.size > writtenLimit || depth + picture.height > depthLimit)
      throw new DescriptionTooLarge("The component object is too large or too deep to describe");
    return picture;
  };
  const look = (each: unknown, depth: number): Picture => {
    nodes += 1;
    if (nodes > nodeLimit || depth > depthLimit) return leaf(undefined);
    if (typeof each === "function") return leaf({ $function: true });
    if (typeof each === "bigint" || typeof each === "symbol") return leaf(String(each));
    if (typeof each !== "object" || each === null) return leaf(each);
    if (each instanceof Date || each instanceof RegExp) return leaf(String(each));
    if (around.has(each)) {
      cycles += 1;
      return leaf(undefined);
    }
    around.add(each);
    const before = cycles;
    let size = 1;
    let height = 0;
    const part = (item: unknown): unknown => {
      const picture = take(item, depth + 1);
      size += picture.size;
      height = Math.max(height, picture.height + 1);
      return picture.shown;
    };
    let shown: unknown;
    if (Array.isArray(each)) shown = each.map((item) => part(item) ?? null);
    else {
      const fields = Object.create(null) as Record<string, unknown>;
      for (const key of Object.keys(each)) fields[key] = part((each as Record<string, unknown>)[key]);
      shown = fields;
    }
    around.delete(each);
    const picture = { shown, size, height };
    // What was cut short is whole elsewhere.
    if (cycles === before) known.set(each, picture);
    return picture;
  };
  return JSON.stringify(take(value, 0).shown) ?? "null";
}

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const member = (fields: unknown, name: string): unknown =>
  isFields(fields) && Object.hasOwn(fields, name) ? fields[name] : undefined;

/** A definition without what only its app needs, so that many props of one large app can be described. */
function trimmed(definition: unknown, depth = 0): unknown {
  if (!isFields(definition)) return definition;
  if (isApp(definition)) return withoutMembers(definition);
  const { propDefinition } = definition;
  if (!Array.isArray(propDefinition) || depth >= deepestDefinition) return definition;
  const [app, name, ...inputs] = propDefinition as unknown[];
  const found = member(member(app, "propDefinitions"), String(name));
  if (found === undefined || typeof name !== "string") return definition;
  const slim = { type: "app", app: member(app, "app"), propDefinitions: { [name]: trimmed(found, depth + 1) } };
  return { ...definition, propDefinition: [slim, name, ...inputs] };
}

const withoutMembers = (app: AppDefinition): Fields => ({ ...app, methods: undefined, propDefinitions: undefined });

/** Describes definitions of props by name. */
export const describeProps = (props: Fields): string => describe(trimmedProps(props));

const trimmedProps = (props: Fields): Fields =>
  Object.fromEntries(Object.keys(props).map((name) => [name, trimmed(props[name])]));

/** Describes what a module exports. */
export function describeComponent(component: unknown): string {
  if (!isFields(component) || !isFields(component["props"])) return describe(component);
  return describe({ ...component, props: trimmedProps(component["props"]) });
}
