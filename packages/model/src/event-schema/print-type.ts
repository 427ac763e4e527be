/** A JSON Schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
}

/** Of what callers send: an optional member may be undefined. */
export type Direction = "sent" | "answered";

/** The name of a type: `Error` is a global. */
export const typeName = (schema: string): string => (schema === "Error" ? "ErrorBody" : schema);

export const refName = ({ $ref = "" }: Schema): string => $ref.slice($ref.lastIndexOf("/") + 1);

const isName = /^[A-Za-z_$][\w$]*$/;
const memberName = (name: string): string => (isName.test(name) ? name : JSON.stringify(name));

/** A description as a comment; nothing without one. */
export function comment(text: string | undefined, indent: string): string {
  if (!text) return "";
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

/** Members of an object type, one a line. */
export function printMembers({ properties = {}, required = [] }: Schema, direction: Direction, indent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isRequired = required.includes(name);
      const type = printType(schema, direction, indent);
      const shown = isRequired || direction === "answered" ? type : `${type} | undefined`;
      const mark = isRequired ? "" : "?";
      return `${comment(schema.description, indent)}${indent}readonly ${memberName(name)}${mark}: ${shown};\n`;
    })
    .join("");
}

function printObject(schema: Schema, direction: Direction, indent: string): string {
  const { properties, additionalProperties: others, maxProperties } = schema;
  if (properties) return `{\n${printMembers(schema, direction, `${indent}  `)}${indent}}`;
  if (maxProperties === 0) return "{ readonly [name: string]: never }";
  const value = typeof others === "object" ? printType(others, direction, indent) : "Json";
  return `{ readonly [name: string]: ${value} }`;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(" | ") || "never";

/** A schema as a TypeScript type. */
export function printType(schema: Schema, direction: Direction, indent = ""): string {
  const { type, anyOf, oneOf } = schema;
  if (schema.$ref !== undefined) return typeName(refName(schema));
  if (schema.allOf) {
    const { allOf, ...own } = schema;
    return [...allOf, ...(own.properties ? [own] : [])].map((each) => printType(each, direction, indent)).join(" & ");
  }
  const either = anyOf ?? oneOf;
  if (either) return union(either.map((each) => printType(each, direction, indent)));
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  if (typeof type === "object")
    return union(type.map((each) => printType({ ...schema, type: each }, direction, indent)));
  if (type === "object") return printObject(schema, direction, indent);
  if (type === "array") {
    const item = printType(schema.items ?? {}, direction, indent);
    return `readonly ${/^[\w$]+$/.test(item) || item.startsWith("{") ? item : `(${item})`}[]`;
  }
  if (type === "integer") return "number";
  return type ?? "Json";
}
