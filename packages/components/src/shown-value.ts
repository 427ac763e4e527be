const longest = 60;

/** True for how the sandbox describes a function. */
export const isFunction = (value: unknown): boolean =>
  isRecord(value) && Object.hasOwn(value, "$function") && value["$function"] === true;

/** A JSON object, not an array. */
export const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as a sentence can name it: short, and the kind instead of the content of what is large. */
export function shownValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (isFunction(value)) return "a function";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (isRecord(value)) return "an object";
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

const longestName = 60;

/** A name of the author's as a sentence can hold it. */
export const shownName = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName)}…` : name;

/** The kind of a value, for values that must not be shown. */
export const shownKind = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? `a ${typeof value}`
    : shownValue(value);
