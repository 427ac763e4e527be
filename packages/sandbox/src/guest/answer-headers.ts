import { badHeaderValue, headerName } from "./headers.ts";
import { isPlain, kindOf } from "./kind-of.ts";
import { URL } from "./url.ts";

type Pair = [string, string];

/** Headers of one connection, which say nothing about the answer. */
export const hopByHop: readonly string[] =
  "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade".split(" ");

const expected = "a plain object, Headers, a Map, or pairs of name and value";

function refuse(got: string): never {
  throw new TypeError(`respond: headers must be ${expected}, got ${got}`);
}

function readName(name: unknown): string {
  if (typeof name !== "string") throw new TypeError(`respond: a header name must be text, got ${kindOf(name)}`);
  if (!headerName.test(name)) throw new TypeError(`respond: header name "${name}" is not valid`);
  if (hopByHop.includes(name.toLowerCase()))
    throw new TypeError(`respond: header "${name}" belongs to the connection and cannot be set`);
  return name;
}

const simple: readonly string[] = ["string", "number", "boolean", "bigint"];

function readValue(name: string, value: unknown, where: string): string {
  // A URL has one text, and `location` is often given as one.
  if (!simple.includes(typeof value) && !(value instanceof URL))
    throw new TypeError(
      `respond: ${where} of header "${name}" must be text, a number or a list of them, got ${kindOf(value)}`,
    );
  const text = String(value);
  if (badHeaderValue.test(text))
    throw new TypeError(`respond: the value of header "${name}" holds characters that are not allowed`);
  return text;
}

/** The pairs of one header; none for undefined and null. */
function readHeader(given: unknown, value: unknown): Pair[] {
  if (value === undefined || value === null) return [];
  const name = readName(given);
  if (!Array.isArray(value)) return [[name, readValue(name, value, "the value")]];
  return Array.from(value as unknown[], (each): Pair => [name, readValue(name, each, "a value")]);
}

function readPairs(given: Iterable<unknown>): Pair[] {
  const headers: Pair[] = [];
  // The same header in other letters gets the first spelling, so that all of its values are sent.
  const spelling = new Map<string, string>();
  for (const pair of given) {
    if (!Array.isArray(pair)) refuse(`${kindOf(given)} that holds ${kindOf(pair)} where a pair should be`);
    if (pair.length !== 2) refuse(`a list of ${pair.length} where a pair should be`);
    for (const [name, value] of readHeader(pair[0], pair[1])) {
      const lower = name.toLowerCase();
      const known = spelling.get(lower) ?? name;
      spelling.set(lower, known);
      headers.push([known, value]);
    }
  }
  return headers;
}

/** The headers of an answer. Throws a TypeError that says what was expected. */
export function readHeaders(given: unknown): Pair[] {
  if (given === undefined) return [];
  if (typeof given !== "object" || given === null) refuse(kindOf(given));
  if (typeof (given as Iterable<unknown>)[Symbol.iterator] === "function") return readPairs(given as Iterable<unknown>);
  if (!isPlain(given)) refuse(kindOf(given));
  return Object.entries(given).flatMap(([name, value]) => readHeader(name, value));
}
