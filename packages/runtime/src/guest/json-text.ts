import { preludeFileName } from "../sandbox/ops.ts";
import { Blob } from "./blob.ts";
import { Headers } from "./headers.ts";
import { log } from "./host.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { URLSearchParams } from "./url.ts";

const { stringify } = JSON;
const { defineProperty, deleteProperty } = Reflect;

/** Classes whose objects JSON writes as `{}`: the class, its name with an article, and what to write instead. */
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

const warningLimit = 3;
/** Parts of one value that are searched. */
const searchLimit = 1_000;

/** The path of an object in a value, such as `event.items[0].map`; undefined when it is not found. */
function pathTo(
  wanted: object,
  value: unknown,
  path: string,
  above: Set<object>,
  budget: { steps: number },
): string | undefined {
  if (value === wanted) return path;
  if (typeof value !== "object" || value === null || above.has(value) || --budget.steps < 0) return undefined;
  above.add(value);
  for (const key of Object.keys(value)) {
    const inner = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    const found = pathTo(wanted, (value as Record<string, unknown>)[key], inner, above, budget);
    if (found !== undefined) return found;
  }
  above.delete(value);
  return undefined;
}

/** The calling line of the author's code; empty when it is unknown. */
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
const { isArray } = Array;
/** The getter of a property, without the object that a descriptor is. */
const getterOf = Function.prototype.call.bind(
  (plain as unknown as { __lookupGetter__: (key: string) => unknown }).__lookupGetter__,
) as (value: object, key: string) => unknown;

/**
 * Whether JSON loses nothing of the value. False also when a complete search would take longer than writing it, and for an object
 * with getters: they may give something else each time, so only the writing calls them.
 */
function isPlain(value: unknown, budget: { steps: number }): boolean {
  if (typeof value === "function") return false;
  if (typeof value !== "object" || value === null) return true;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype === date) return true;
  if (prototype !== plain && prototype !== list && prototype !== null) {
    if (typeof (value as { toJSON?: unknown }).toJSON === "function") return true;
    for (const [type] of losing) if (value instanceof type) return false;
  }
  const isList = isArray(value);
  for (const key in value) {
    if (--budget.steps < 0 || (!isList && getterOf(value, key) !== undefined)) return false;
    if (!isPlain((value as Record<string, unknown>)[key], budget)) return false;
  }
  return true;
}

/** Writes JSON while a temporary `toJSON` of those classes reports their objects. */
function writeWithReports(value: unknown, note: Note): string | undefined {
  const changed: object[] = [];
  for (const [{ prototype }, called, fix] of losing) {
    if (Object.hasOwn(prototype, "toJSON")) continue;
    const toJSON = function (this: object): object {
      note(this, called, fix);
      return this;
    };
    if (defineProperty(prototype, "toJSON", { value: toJSON, configurable: true })) changed.push(prototype);
  }
  try {
    return stringify(value);
  } finally {
    for (const prototype of changed) deleteProperty(prototype, "toJSON");
  }
}

function write(value: unknown, note: Note): string | undefined {
  let isLossless: boolean;
  try {
    isLossless = isPlain(value, { steps: searchLimit });
  } catch {
    // A cycle or a getter that throws: `stringify` reports it.
    isLossless = true;
  }
  return isLossless ? stringify(value) : writeWithReports(value, note);
}

/** As `JSON.stringify`; logs warnings that name lost parts by their path. `what` begins the warnings. */
export function writeJson(value: unknown, what: string, path: string): string | undefined {
  const lost = new Map<object, string>();
  const text = write(value, (object, called, fix) => {
    if (lost.size < warningLimit) lost.set(object, `${called}, which JSON cannot hold: ${fix}`);
  });
  for (const [object, is] of lost) {
    const foundPath = pathTo(object, value, path, new Set(), { steps: searchLimit }) ?? `something in ${path}`;
    log("warn", `${what}: ${foundPath} is ${is}${callerLine()}`, "[]");
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
    problem = foundProblem(value, subject) ?? `${subject} cannot be written as JSON: ${reasonOf(error)}`;
  }
  if (text === undefined) throw Object.assign(new TypeError(problem), { name });
  return text;
}

/** As `findProblem`; undefined also when the value throws while it is searched. */
function foundProblem(value: unknown, path: string): string | undefined {
  try {
    return findProblem(value, path);
  } catch {
    return undefined;
  }
}

/** What a getter, a proxy or `toJSON` threw, as text; these may throw anything. */
function reasonOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "it threw while it was read";
  }
}

/** Names the first part of a value that JSON cannot hold; `path` is the path of the value. */
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
