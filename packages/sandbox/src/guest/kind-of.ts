const { getPrototypeOf, prototype } = Object;

/** True for an object without a class, such as a literal. */
export function isPlain(value: object): boolean {
  const parent: unknown = getPrototypeOf(value);
  return parent === prototype || parent === null;
}

/** What a value is, for messages: `text`, `a number`, `an object`, `a list`, `a Map`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return "text";
  if (typeof value === "bigint") return "a BigInt";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value)) return "a list";
  if (isPlain(value)) return "an object";
  const name: unknown = value.constructor?.name;
  if (typeof name !== "string" || name === "") return "an object";
  // Classes that can be written in the plural are lists of something.
  if (name === "Headers" || name === "URLSearchParams") return name;
  return `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
}
