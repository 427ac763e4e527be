/** Text of a value for log lines, in the manner of Node's console: strings as they are, objects as short JSON-like text. */
const depthLimit = 4;
const itemLimit = 100;

export function inspect(value: unknown, depth = 0, seen: Set<object> = new Set()): string {
  if (typeof value === "string") return depth === 0 ? value : `'${value}'`;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
  if (typeof value === "symbol") return value.toString();
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "[Circular]";
  if (value instanceof Error)
    return `${value.name}: ${value.message}${depth === 0 && value.stack ? `\n${value.stack}` : ""}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (depth >= depthLimit) return Array.isArray(value) ? "[Array]" : "[Object]";
  seen.add(value);
  try {
    return inspectObject(value, depth, seen);
  } finally {
    seen.delete(value);
  }
}

function inspectObject(value: object, depth: number, seen: Set<object>): string {
  const inner = (item: unknown): string => inspect(item, depth + 1, seen);
  const cut = (items: string[], size: number): string =>
    (size > itemLimit ? [...items, `… ${size - itemLimit} more`] : items).join(", ");
  if (Array.isArray(value)) return `[ ${cut(value.slice(0, itemLimit).map(inner), value.length)} ]`;
  if (value instanceof Map) {
    const items = [...value].slice(0, itemLimit).map(([key, item]) => `${inner(key)} => ${inner(item)}`);
    return `Map(${value.size}) { ${cut(items, value.size)} }`;
  }
  if (value instanceof Set)
    return `Set(${value.size}) { ${cut([...value].slice(0, itemLimit).map(inner), value.size)} }`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength})`;
  const keys = Object.keys(value);
  const fields = keys.slice(0, itemLimit).map((key) => `${key}: ${inner((value as Record<string, unknown>)[key])}`);
  const name = value.constructor?.name;
  const head = name && name !== "Object" ? `${name} ` : "";
  return keys.length === 0 ? `${head}{}` : `${head}{ ${cut(fields, keys.length)} }`;
}
