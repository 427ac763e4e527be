import { isDeepStrictEqual } from "node:util";

import type { AnySchemaObject } from "ajv";

import { isFunction, isRecord } from "../shown-value.ts";

/** True when the value is what the sandbox writes for a function (kind "function"), or an object that is not one. */
export const isGuestKind = (kind: unknown, value: unknown): boolean =>
  kind === "function" ? isFunction(value) : isRecord(value) && !isFunction(value);

const isOfType: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  number: (value) => Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  object: isRecord,
  array: (value) => Array.isArray(value),
};

const hasMember = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && (value as { readonly [name: string]: unknown })[name] !== undefined;

const lengthOf = (text: string): number => Array.from(text).length;

/** A keyword applies only to values of its own type. */
const keywords: { readonly [keyword: string]: (argument: never, value: unknown) => boolean } = {
  description: () => true,
  type: (type: string, value) => isOfType[type]?.(value) ?? false,
  guest: isGuestKind,
  enum: (values: readonly unknown[], value) => values.some((each) => isDeepStrictEqual(each, value)),
  required: (names: readonly string[], value) => !isRecord(value) || names.every((name) => hasMember(value, name)),
  properties: (schemas: { readonly [name: string]: AnySchemaObject }, value) =>
    !isRecord(value) ||
    Object.entries(schemas).every(([name, schema]) => !hasMember(value, name) || isPlainlyValid(schema, value[name])),
  items: (schema: AnySchemaObject, value) =>
    !Array.isArray(value) || value.every((item) => isPlainlyValid(schema, item)),
  minLength: (least: number, value) => typeof value !== "string" || lengthOf(value) >= least,
  maxLength: (most: number, value) => typeof value !== "string" || lengthOf(value) <= most,
  pattern: (pattern: string, value) => typeof value !== "string" || new RegExp(pattern, "u").test(value),
  minimum: (least: number, value) => typeof value !== "number" || value >= least,
  maximum: (most: number, value) => typeof value !== "number" || value <= most,
};

/**
 * True when a value definitely satisfies a schema. When false, the schema library decides and reports the problems. Loading
 * that library takes longer than running a component, and most values are valid.
 */
export function isPlainlyValid(schema: AnySchemaObject, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, argument]) =>
    Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(argument as never, value) : false,
  );
}
