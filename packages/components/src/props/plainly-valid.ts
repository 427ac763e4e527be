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

export const hasMember = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && (value as { readonly [name: string]: unknown })[name] !== undefined;

const lengthOf = (text: string): number => Array.from(text).length;

/** JSON text that is the same for equal values, whatever the order of their members. */
const sortedText = (value: unknown): string =>
  JSON.stringify(value, (_name, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null;

/** Makes a test whether a JSON value is one of these; it takes no longer with more of them. */
export function isOneOf(values: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(values.filter(isPlain));
  const texts = new Set(values.filter((value) => !isPlain(value)).map(sortedText));
  return (value) => (isPlain(value) ? plain.has(value) : texts.size > 0 && texts.has(sortedText(value)));
}

/** A JSON schema, as the schema library takes it. */
export interface Schema {
  /** What is expected. */
  readonly description?: string;
  readonly [keyword: string]: unknown;
}

type Test = (value: unknown) => boolean;

/** Makes the test of each keyword from its argument. A keyword applies only to values of its own type. */
const keywords: { readonly [keyword: string]: (argument: never) => Test } = {
  description: () => () => true,
  type: (type: string) => isOfType[type] ?? (() => false),
  guest: (kind: unknown) => (value) => isGuestKind(kind, value),
  enum: isOneOf,
  required: (names: readonly string[]) => (value) => !isRecord(value) || names.every((name) => hasMember(value, name)),
  properties(schemas: { readonly [name: string]: Schema }) {
    const members = Object.entries(schemas).map(([name, schema]) => ({ name, isValid: plainTest(schema) }));
    return (value) =>
      !isRecord(value) || members.every(({ name, isValid }) => !hasMember(value, name) || isValid(value[name]));
  },
  items(schema: Schema) {
    const isValid = plainTest(schema);
    return (value) => !Array.isArray(value) || value.every(isValid);
  },
  minLength: (least: number) => (value) => typeof value !== "string" || lengthOf(value) >= least,
  maxLength: (most: number) => (value) => typeof value !== "string" || lengthOf(value) <= most,
  pattern(text: string) {
    const pattern = new RegExp(text, "u");
    return (value) => typeof value !== "string" || pattern.test(value);
  },
  minimum: (least: number) => (value) => typeof value !== "number" || value >= least,
  maximum: (most: number) => (value) => typeof value !== "number" || value <= most,
};

/**
 * Makes a test that is true for values that definitely satisfy a schema. When it is false, the schema library decides and
 * reports the problems. Loading that library takes longer than running a component, and most values are valid.
 */
export function plainTest(schema: Schema): Test {
  const tests = Object.entries(schema).map(([keyword, argument]) =>
    Object.hasOwn(keywords, keyword) ? keywords[keyword]?.(argument as never) : undefined,
  );
  return (value) => tests.every((test) => test?.(value) ?? false);
}

/** `plainTest` for one value. */
export const isPlainlyValid = (schema: Schema, value: unknown): boolean => plainTest(schema)(value);
