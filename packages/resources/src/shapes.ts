/** A JSON Schema (2020-12) of the OpenAPI description. */
export type Schema = Readonly<Record<string, unknown>> & { readonly [fromMs]?: true };

/** Marks what the runtime has in epoch milliseconds. Not part of the JSON. */
export const fromMs: unique symbol = Symbol("from epoch milliseconds");

export const text = (description: string): Schema => ({ type: "string", description });
export const textOrNull = (description: string): Schema => ({ type: ["string", "null"], description });
export const whole = (description: string): Schema => ({ type: "integer", description });
export const decimal = (description: string): Schema => ({ type: "number", description });
export const texts: Schema = { type: "array", items: { type: "string" } };
export const flag = (description: string): Schema => ({ type: "boolean", const: true, description });
export const orNull = (schema: Schema, description: string): Schema => ({
  description,
  oneOf: [{ type: "null" }, schema],
});
export const anyJson: Schema = { description: "Any JSON value." };
/** Views make it of epoch milliseconds. */
export const seconds: Schema = { type: "integer", description: "Epoch seconds.", [fromMs]: true };
/** The same; null stays null. */
export const secondsOrNull = (description: string): Schema => ({
  type: ["integer", "null"],
  description,
  [fromMs]: true,
});

export const eventId: Schema = {
  type: "string",
  pattern: "^[0-9]+-[0-9]+$",
  description: "Epoch milliseconds, a hyphen and a sequence number; grows with time.",
};
export const hint: Schema = text("What may help against it.");

/** A reference to a schema that the description defines by name. */
export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object; members are required unless listed as optional. */
export function record(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** A schema, or the name of one. */
export type Shape = string | Schema;

const schemaOf = (shape: Shape): Schema => (typeof shape === "string" ? schemaRef(shape) : shape);

/** `{data: <resource>}`. */
export const dataOf = (resource: Shape): Schema => record({ data: schemaOf(resource) });

/** A list without pages. */
export const allOf = (item: Shape): Schema => record({ data: { type: "array", items: schemaOf(item) } });

/** A page of a list. */
export const listOf = (item: Shape): Schema =>
  record({ page_info: schemaRef("PageInfo"), data: { type: "array", items: schemaOf(item) } });
