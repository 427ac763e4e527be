import type { Json } from "../model.ts";

/** A JSON Schema. */
export type InferredSchema = { [keyword: string]: Json };

/** Deeper values, further members and further schemas are left open. */
const most = { depth: 16, members: 200, schemas: 2_000 };

const order = ["null", "boolean", "integer", "number", "string", "array", "object"];

const typeOf = (value: Json): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
};

/** Sorted. Every integer is a number. */
function typesOf(values: readonly Json[]): string[] {
  const types = new Set(values.map(typeOf));
  if (types.has("number")) types.delete("integer");
  return order.filter((type) => types.has(type));
}

type JsonObject = { readonly [name: string]: Json };

const isObject = (value: Json): value is { [name: string]: Json } => typeOf(value) === "object";

/** The values of each member, by its name. */
function membersOf(objects: readonly JsonObject[]): Map<string, Json[]> {
  const members = new Map<string, Json[]>();
  for (const object of objects)
    for (const [name, value] of Object.entries(object)) {
      const known = members.get(name);
      if (known) known.push(value);
      else if (members.size < most.members) members.set(name, [value]);
    }
  return members;
}

/** The schema that all these values fit: which types they have, and which members all objects at a place have. */
export function inferSchema(values: readonly Json[]): InferredSchema {
  let schemas = 0;

  function objectsOf(objects: readonly JsonObject[], depth: number): InferredSchema {
    const members = [...membersOf(objects)];
    const properties = Object.fromEntries(members.map(([name, found]) => [name, schemaOf(found, depth + 1)]));
    const required = members.flatMap(([name, found]) => (found.length === objects.length ? [name] : []));
    return { properties, ...(required.length > 0 && { required }) };
  }

  function schemaOf(found: readonly Json[], depth: number): InferredSchema {
    schemas += 1;
    if (found.length === 0 || depth > most.depth || schemas > most.schemas) return {};
    const types = typesOf(found);
    const [first = ""] = types;
    const objects = found.filter(isObject);
    const items = found.filter((value) => Array.isArray(value)).flat();
    return {
      type: types.length === 1 ? first : types,
      ...(objects.length > 0 && objectsOf(objects, depth)),
      ...(items.length > 0 && { items: schemaOf(items, depth + 1) }),
    };
  }

  return schemaOf(values, 0);
}
