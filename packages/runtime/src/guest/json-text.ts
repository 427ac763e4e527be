import { preludeFileName } from "../sandbox/ops.ts";
import { Blob } from "./blob.ts";
import { Headers } from "./headers.ts";
import { log } from "./host.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { URLSearchParams } from "./url.ts";

const { stringify } = JSON;
const { defineProperty, deleteProperty } = Reflect;

/** Classes whose objects JSON writes as `{}`, what it is called, and what to write in place of it. */
const losing: readonly (readonly [new (...given: never[]) => object, string, string])[] = [
  [Promise, "a Promise", "await it first"],
  [Function, "a function", "call it, or leave it out"],
  [Map, "a Map", "use Object.fromEntries(map)"],
  [Set, "a Set", "use [...set]"],
  [Error, "an Error", "give its message"],
  [RegExp, "a RegExp", "give its source"],
  [Response, "a Response", "await response.json() first"],
  [Request, "a Request", "give its url"],
  [Headers, "Headers", "use Object.fromEntries(headers)"],
  [URLSearchParams, "URLSearchParams", "use Object.fromEntries(params), or String(params)"],
  [Blob, "a Blob", "await blob.text() first"],
];

const mostTold = 3;
/** Of one value. */
const mostLooked = 1_000;

/** `.items[0].map` of what is somewhere in a value, by what it is; undefined when it is found no more. */
function pathTo(
  wanted: object,
  value: unknown,
  path: string,
  above: Set<object>,
  left: { looks: number },
): string | undefined {
  if (value === wanted) return path;
  if (typeof value !== "object" || value === null || above.has(value) || --left.looks < 0) return undefined;
  above.add(value);
  for (const key of Object.keys(value)) {
    const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const found = pathTo(wanted, (value as Record<string, unknown>)[key], inner, above, left);
    if (found !== undefined) return found;
  }
  above.delete(value);
  return undefined;
}

/** The author's line that called, when it is known. */
function callerLine(): string {
  const lines = (new Error().stack ?? "").split("\n");
  const line = lines.find(
    (each) => /^\s+at /.test(each) && !each.includes(preludeFileName) && !each.includes("native"),
  );
  return line === undefined ? "" : `\n${line}`;
}

type Note = (value: object, what: string, fix: string) => void;

const { prototype: plain } = Object;
const { prototype: list } = Array;
const { prototype: date } = Date;
const { getPrototypeOf } = Object;

/** Nothing of it is lost; false too where a look at all of it would take longer than to write it. */
function isPlain(value: unknown, left: { looks: number }): boolean {
  if (typeof value === "function") return false;
  if (typeof value !== "object" || value === null) return true;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === date) return true;
  if (prototype !== plain && prototype !== list && prototype !== null) {
    if (typeof (value as { toJSON?: unknown }).toJSON === "function") return true;
    for (const [type] of losing) if (value instanceof type) return false;
  }
  for (const key in value)
    if (--left.looks < 0 || !isPlain((value as Record<string, unknown>)[key], left)) return false;
  return true;
}

/** Objects of those classes say so themselves, by a `toJSON` for as long: nothing else is looked at. */
function markWhileWriting(value: unknown, note: Note): string | undefined {
  const marked: object[] = [];
  for (const [{ prototype }, called, fix] of losing) {
    if (Object.hasOwn(prototype, "toJSON")) continue;
    const toJSON = function (this: object): object {
      note(this, called, fix);
      return this;
    };
    if (defineProperty(prototype, "toJSON", { value: toJSON, configurable: true })) marked.push(prototype);
  }
  try {
    return stringify(value);
  } finally {
    for (const prototype of marked) deleteProperty(prototype, "toJSON");
  }
}

function write(value: unknown, note: Note): string | undefined {
  let plainly: boolean;
  try {
    plainly = isPlain(value, { looks: mostLooked });
  } catch {
    // Refers back to itself, or has a getter that throws: it is said where it is written.
    plainly = true;
  }
  return plainly ? stringify(value) : markWhileWriting(value, note);
}

/** JSON text as `JSON.stringify` gives it; warnings name what of the value is lost. `what` stands before the path. */
export function writeJson(value: unknown, what: string, path: string): string | undefined {
  const lost = new Map<object, string>();
  const text = write(value, (object, called, fix) => {
    if (lost.size < mostTold) lost.set(object, `${called}, which JSON cannot hold: ${fix}`);
  });
  for (const [object, is] of lost) {
    const place = pathTo(object, value, path, new Set(), { looks: mostLooked }) ?? `something in ${path}`;
    log("warn", `${what}: ${place} is ${is}${callerLine()}`, "[]");
  }
  return text;
}

/** What to call a value in errors and warnings. */
interface Naming {
  /** Begins error messages, and paths in them. */
  readonly subject: string;
  /** Begins warnings. */
  readonly what: string;
  /** Begins paths in warnings. */
  readonly path: string;
  /** Name of the error. */
  readonly error: string;
}

/** As `writeJson`, for a value that must have JSON text: otherwise throws an error that names the first part without one. */
export function requireJson(value: unknown, { subject, what, path, error: name }: Naming): string {
  let text: string | undefined;
  let problem = `${subject} is a ${typeof value}, which JSON cannot hold`;
  try {
    text = writeJson(value, what, path);
  } catch (error) {
    problem = findProblem(value, subject) ?? `${subject} cannot be written as JSON: ${(error as Error).message}`;
  }
  if (text === undefined) throw Object.assign(new TypeError(problem), { name });
  return text;
}

/** Names the first part of a value that JSON cannot hold; `path` is where the value stands. */
export function findProblem(value: unknown, path: string, above: Set<object> = new Set()): string | undefined {
  if (typeof value === "bigint") return `${path} is a BigInt, which JSON cannot hold`;
  if (typeof value !== "object" || value === null) return undefined;
  if (above.has(value)) return `${path} refers back to an object that contains it`;
  above.add(value);
  try {
    for (const key of Object.keys(value)) {
      const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
      const problem = findProblem((value as Record<string, unknown>)[key], inner, above);
      if (problem) return problem;
    }
  } finally {
    above.delete(value);
  }
  return undefined;
}
