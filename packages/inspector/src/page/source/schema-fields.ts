import type { EventSchema } from "@x/client";

/** A value in an event. */
export interface SchemaField {
  /** Such as `lines[].sku`; empty for the event itself. */
  readonly path: string;
  /** Such as `string or null`. */
  readonly type: string;
  readonly isRequired: boolean;
}

type Schema = EventSchema["schema"];

const most = { fields: 200, depth: 8 };

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The type of a value in words. */
function typeText({ type, $ref, enum: choices, const: only, anyOf, oneOf }: Schema): string {
  if (typeof $ref === "string") return $ref === "#" ? "the same" : ($ref.split("/").at(-1) ?? "any");
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return choices.map((each) => JSON.stringify(each)).join(" or ");
  const either = anyOf ?? oneOf;
  if (Array.isArray(either))
    return [...new Set(either.map((each) => (isSchema(each) ? typeText(each) : "any")))].join(" or ");
  const types = Array.isArray(type) ? type : [type];
  return types.map((each) => (typeof each === "string" ? each : "any")).join(" or ");
}

/** The fields of a schema, outer ones first; 200 at most. */
export function schemaFields(schema: Schema): readonly SchemaField[] {
  const fields: SchemaField[] = [];
  function add(given: unknown, path: string, isRequired: boolean, depth: number): void {
    const each = isSchema(given) ? given : {};
    const { properties, required, items } = each;
    const hasFields = isSchema(properties) && Object.keys(properties).length > 0;
    if (fields.length >= most.fields) return;
    if (path !== "" || !hasFields) fields.push({ path, type: typeText(each), isRequired });
    if (depth === most.depth) return;
    if (isSchema(items) && (isSchema(items["properties"]) || isSchema(items["items"])))
      add(items, `${path}[]`, true, depth + 1);
    if (!hasFields) return;
    const names = Array.isArray(required) ? required : [];
    for (const [name, member] of Object.entries(properties))
      add(member, path === "" ? name : `${path}.${name}`, names.includes(name), depth + 1);
  }
  add(schema, "", true, 0);
  return fields;
}
