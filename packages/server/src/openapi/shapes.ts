import type { Schema } from "../route.ts";

/** A reference to a schema that the description defines by name. */
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object; members are required unless listed as optional. */
export function record(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** `{data: <resource>}`. */
export const dataOf = (name: string): Schema => record({ data: schemaRef(name) });

/** A list without pages. */
export const allOf = (name: string): Schema => record({ data: { type: "array", items: schemaRef(name) } });

/** A page of a list. */
export const listOf = (name: string): Schema =>
  record({ page_info: schemaRef("PageInfo"), data: { type: "array", items: schemaRef(name) } });
