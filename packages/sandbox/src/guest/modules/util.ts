import timers from "node:timers/promises";
import types from "node:util/types";
import { builtin } from "x:host";

import { isDeepStrictEqual } from "../node/deep-equal.ts";
import { withLazyMembers } from "../node/lazy-members.ts";
import { argumentError } from "../node/node-error.ts";
import { callbackify, promisify } from "../node/promisify.ts";
import { errno } from "../node/system-constants.ts";
import type Inspecting from "./internal/inspect.ts";

type Constructor = ((...args: never[]) => unknown) & { prototype: object };
type Plain = (...args: unknown[]) => unknown;

/** Loaded on demand: it is by far the largest piece, and rarely used. */
const inspecting = (): typeof Inspecting => builtin("node:internal/inspect") as typeof Inspecting;

function inherits(constructor: Constructor & { super_?: unknown }, parent: Constructor): void {
  for (const [name, given] of Object.entries({ ctor: constructor, superCtor: parent }))
    if (typeof given !== "function") throw argumentError(name, "of type function", given);
  Object.defineProperty(constructor, "super_", { value: parent, writable: true, configurable: true });
  Object.setPrototypeOf(constructor.prototype, parent.prototype);
}

const warned = new Set<string>();

function deprecate(run: Plain, message: string, code?: string): Plain {
  let hasWarned = false;
  const deprecated = function (this: unknown, ...args: unknown[]): unknown {
    if (!hasWarned && !(code !== undefined && warned.has(code))) {
      hasWarned = true;
      if (code !== undefined) warned.add(code);
      process.emitWarning(`DeprecationWarning: ${message}`);
    }
    return new.target ? (Reflect.construct(run, args, new.target) as unknown) : run.apply(this, args);
  };
  Object.setPrototypeOf(deprecated, run);
  if (run.prototype) deprecated.prototype = run.prototype;
  return deprecated;
}

for (const [plain, promised] of [
  [setTimeout, timers.setTimeout],
  [setImmediate, timers.setImmediate],
] as const) {
  Object.defineProperty(plain, promisify.custom, { value: promised, configurable: true });
}

/** Debug logs are off, as in Node without NODE_DEBUG. */
const debuglog = (): object => Object.assign(() => undefined, { enabled: false });

const codes = new Map(Object.entries(errno).map(([name, number]) => [-number, name]));

const of =
  (type: string) =>
  (value: unknown): boolean =>
    typeof value === type;
// Deprecated names that packages still use.
const former = {
  isArray: (value: unknown) => Array.isArray(value),
  isBoolean: of("boolean"),
  isBuffer: (value: unknown) => Buffer.isBuffer(value),
  isDate: types.isDate,
  isError: (value: unknown) => value instanceof Error,
  isFunction: of("function"),
  isNull: (value: unknown) => value === null,
  isNullOrUndefined: (value: unknown) => value === null || value === undefined,
  isNumber: of("number"),
  isObject: (value: unknown) => value !== null && typeof value === "object",
  isPrimitive: (value: unknown) => value === null || (typeof value !== "object" && typeof value !== "function"),
  isRegExp: types.isRegExp,
  isString: of("string"),
  isSymbol: of("symbol"),
  isUndefined: of("undefined"),
  log: (...args: unknown[]) => process.stdout.write(`${inspecting().format(...args)}\n`),
  _extend: (target: object, source: unknown) =>
    typeof source === "object" && source !== null ? Object.assign(target, source) : target,
};

const util = {
  ...former,
  TextDecoder,
  TextEncoder,
  aborted: (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    }),
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate,
  getSystemErrorName: (number: number) => codes.get(number),
  inherits,
  isDeepStrictEqual,
  promisify,
  styleText: (_format: unknown, text: string) => text,
  toUSVString: (text: unknown) => String(text).replace(/[\uD800-\uDFFF]/gu, "\uFFFD"),
  types,
};

export default withLazyMembers(util, {
  inspect: () => inspecting().inspect,
  format: () => inspecting().format,
  formatWithOptions: () => inspecting().formatWithOptions,
  stripVTControlCharacters: () => inspecting().stripVTControlCharacters,
});
