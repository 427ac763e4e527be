import { preludeFileName } from "../ops.ts";
import { Blob } from "./blob.ts";
import { Headers } from "./headers.ts";
import { log } from "./host.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { URLSearchParams } from "./url.ts";

const { stringify } = JSON;

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
const { getPrototypeOf } = Object;
/** What an object is of which JSON loses something, and what to write instead; undefined for others. */
export function lossOf(value: object): { readonly called: string; readonly fix: string } | undefined {
  for (const [type, called, fix] of losing) {
    if (value instanceof type) return { called, fix };
  }
  return undefined;
}

/** Notes an object of which JSON loses something. */
function noteLoss(value: object, note: Note): void {
  const loss = lossOf(value);
  if (loss) note(value, loss.called, loss.fix);
}

/** As `JSON.stringify`; notes functions and objects of the losing classes, unless they have a `toJSON`. */
const write = (value: unknown, note: Note): string | undefined =>
  stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" && typeof part !== "function") return part;
    if (part === null) return part;
    try {
      const prototype: unknown = getPrototypeOf(part);
      if (prototype !== plain && prototype !== list && prototype !== null) noteLoss(part, note);
    } catch {
      // A proxy refuses to name its prototype.
    }
    return part;
  });

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
