import type { Schema } from "@x/resources";

/** A source or workflow with events. */
export interface DescribedEmitter {
  readonly id: string;
  readonly name: string;
  /** JSON Schema of its events; references are within it. */
  readonly schema: Schema;
}

/** Copies a schema to a place of a document, with its references. */
export function movedSchema(schema: Schema, place: string): Schema {
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        name === "$ref" && typeof each === "string" ? each.replace(/^#/, place) : moved(each),
      ]),
    );
  };
  const { $schema: _draft, $id: _id, ...own } = schema;
  return moved(own) as Schema;
}
