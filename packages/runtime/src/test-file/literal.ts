import type { Json } from "@x/model";

/** Code in the place of a value; text, or a function of the depth of its lines and of the width that is taken. */
export class Code {
  readonly text: (indent: number, column: number) => string;

  constructor(text: string | ((indent: number, column: number) => string)) {
    this.text = typeof text === "string" ? () => text : text;
  }
}

/** A call such as `reply(404, "none")` in the place of a value. */
export class Call {
  readonly callee: string;
  readonly given: readonly Printable[];

  constructor(callee: string, ...given: readonly Printable[]) {
    this.callee = callee;
    this.given = given;
  }
}

export type Printable = Json | Code | Call | undefined | readonly Printable[] | { readonly [name: string]: Printable };

const widest = 118;
const step = "  ";
/** Depth of lines from which values are written in one line. */
const deepest = 12;
/** Longer values are written as a text that the test parses, in characters of JSON. */
const maxChars = 128 * 1024;
const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

/** Characters that end a line, or that a terminal or an editor does not show as they are. */
const invisible = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const visible = (text: string): string =>
  text.replaceAll(invisible, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A text for a comment: in one line, with visible characters only. */
export const inComment = (text: string): string => visible(text.replaceAll(/\s+/g, " "));

/** A text in the quotes that need the fewest escapes. */
export function quoted(text: string): string {
  const json = visible(JSON.stringify(text));
  if (!text.includes('"') || text.includes("'")) return json;
  return `'${json.slice(1, -1).replaceAll(/\\(.)/g, (whole, char: string) => (char === '"' ? char : whole))}'`;
}

/** A member's name. `["__proto__"]`: without brackets it would set the prototype. */
function nameOf(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return isName(name) ? name : quoted(name);
}

interface Parts {
  readonly open: string;
  readonly close: string;
  /** The text before each item, and the item. */
  readonly items: readonly (readonly [before: string, item: Printable])[];
}

function partsOf(value: Exclude<Printable, Code>): Parts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (value instanceof Call)
    return { open: `${value.callee}(`, close: ")", items: value.given.map((item) => ["", item]) };
  if (isList(value)) return { open: "[", close: "]", items: value.map((item) => ["", item]) };
  const members = Object.entries(value);
  const items = members
    .filter(([, item]) => item !== undefined)
    .map(([name, item]) => [`${nameOf(name)}: `, item] as const);
  return { open: "{", close: "}", items };
}

const isList = (value: Printable): value is readonly Printable[] => Array.isArray(value);

function inOneLine(value: Printable): string {
  if (value instanceof Code) return value.text(0, 0);
  if (value === undefined) return "undefined";
  const parts = partsOf(value);
  if (!parts) return typeof value === "string" ? quoted(value) : JSON.stringify(value);
  const { open, close, items } = parts;
  const space = open === "{" && items.length > 0 ? " " : "";
  return open + space + items.map(([before, item]) => before + inOneLine(item)).join(", ") + space + close;
}

/** The widths of objects in one line, up to the widest line; each is measured once. */
type Widths = Map<object, number>;

/** Infinity: the value does not fit in a line. */
function widthOf(value: Printable, widths: Widths): number {
  if (typeof value === "string" && value.length > widest) return Infinity;
  if (typeof value !== "object" || value === null) return inOneLine(value).length;
  const known = widths.get(value);
  if (known !== undefined) return known;
  const parts = value instanceof Code ? undefined : partsOf(value);
  const width = parts ? partsWidth(parts, widths) : textWidth(inOneLine(value));
  widths.set(value, width);
  return width;
}

const textWidth = (text: string): number => (text.includes("\n") ? Infinity : text.length);

function partsWidth({ open, close, items }: Parts, widths: Widths): number {
  const spaces = open === "{" && items.length > 0 ? 2 : 0;
  let width = open.length + close.length + spaces + 2 * Math.max(0, items.length - 1);
  for (const [before, item] of items) {
    if (width > widest) return Infinity;
    width += before.length + widthOf(item, widths);
  }
  return width;
}

/** A value as JavaScript. `column` is the width that is taken in its first line, `indent` the depth of its lines. */
export const literal = (value: Printable, indent = 0, column = 0): string => inLines(value, indent, column, new Map());

function inLines(value: Printable, indent: number, column: number, widths: Widths): string {
  if (value instanceof Code) return value.text(indent, column);
  const parts = partsOf(value);
  if (!parts || parts.items.length === 0 || indent >= deepest || column + widthOf(value, widths) <= widest)
    return inOneLine(value);
  const { open, close, items } = parts;
  // The last object or list of a call begins in the line of the parenthesis.
  const last = value instanceof Call ? value.given.at(-1) : undefined;
  if (value instanceof Call && typeof last === "object" && last !== null) {
    const before = value.given.slice(0, -1);
    const width = before.reduce<number>((sum, item) => sum + widthOf(item, widths) + 2, open.length);
    if (column + width < widest) {
      const head = open + before.map((item) => `${inOneLine(item)}, `).join("");
      return head + inLines(last, indent, column + head.length, widths) + close;
    }
  }
  const margin = step.repeat(indent + 1);
  const lines = items.map(
    ([before, item]) => `${margin}${before}${inLines(item, indent + 1, margin.length + before.length + 1, widths)},\n`,
  );
  return `${open}\n${lines.join("")}${step.repeat(indent)}${close}`;
}

/** A value of any length. */
export function longLiteral(value: Json, indent: number, column: number): string {
  const json = JSON.stringify(value);
  return json.length > maxChars ? `JSON.parse(${quoted(json)})` : literal(value, indent, column);
}
