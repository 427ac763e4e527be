import { withoutConstructors } from "./thrown.ts";

const depthLimit = 4;
const itemLimit = 100;
const plainKey = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

/** Quotes a text, with quotes that it does not contain if possible. */
function quoted(text: string): string {
  const quote = ["'", '"', "`"].find((each) => !text.includes(each)) ?? "'";
  const escaped = text.replace(/[\n\r\t\\]/g, (letter) => JSON.stringify(letter).slice(1, -1));
  return quote + (text.includes(quote) ? escaped.replaceAll(quote, `\\${quote}`) : escaped) + quote;
}

function inspectFunction(value: { name?: unknown }): string {
  const isClass = /^class\b/.test(Function.prototype.toString.call(value));
  const name = typeof value.name === "string" && value.name !== "" ? value.name : undefined;
  if (isClass) return `[class ${name ?? "(anonymous)"}]`;
  return name === undefined ? "[Function (anonymous)]" : `[Function: ${name}]`;
}

/** The text of a value for log lines, similar to Node's console: strings unchanged, objects on one line. */
export function inspect(value: unknown, depth = 0, seen: Set<object> = new Set()): string {
  if (typeof value === "string") return depth === 0 ? value : quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return inspectFunction(value);
  if (typeof value === "symbol") return value.toString();
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (seen.has(value)) return "[Circular]";
  if (value instanceof Error)
    return `${value.name}: ${value.message}${depth === 0 && value.stack ? `\n${withoutConstructors(value.stack, value)}` : ""}`;
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

/** The class name before the fields; empty for plain objects. */
function headOf(value: object): string {
  if (Object.getPrototypeOf(value) === null) return "[Object: null prototype] ";
  const name: unknown = value.constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object" ? `${name} ` : "";
}

function inspectObject(value: object, depth: number, seen: Set<object>): string {
  const inner = (item: unknown): string => inspect(item, depth + 1, seen);
  const cut = (items: string[], size: number): string =>
    (size > itemLimit ? [...items, `… ${size - itemLimit} more`] : items).join(", ");
  const framed = (head: string, open: string, items: string[], size: number, close: string): string =>
    items.length === 0 ? `${head}${open}${close}` : `${head}${open} ${cut(items, size)} ${close}`;
  if (Array.isArray(value)) return framed("", "[", value.slice(0, itemLimit).map(inner), value.length, "]");
  if (value instanceof Map) {
    const items = [...value].slice(0, itemLimit).map(([key, item]) => `${inner(key)} => ${inner(item)}`);
    return framed(`Map(${value.size}) `, "{", items, value.size, "}");
  }
  if (value instanceof Set)
    return framed(`Set(${value.size}) `, "{", [...value].slice(0, itemLimit).map(inner), value.size, "}");
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength})`;
  const keys = Object.keys(value);
  const fields = keys.slice(0, itemLimit).map((key) => {
    const shown = plainKey.test(key) ? key : quoted(key);
    return `${shown}: ${inner((value as Record<string, unknown>)[key])}`;
  });
  return framed(headOf(value), "{", fields, keys.length, "}");
}
