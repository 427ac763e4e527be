import { definePart, part } from "./parts.ts";

type Method = (self: unknown, given: unknown[]) => unknown;

function define(prototype: object, name: string, run: Method): void {
  const method = {
    [name](this: unknown, ...given: unknown[]) {
      return run(this, given);
    },
  }[name];
  Object.defineProperty(prototype, name, { value: method, writable: true, configurable: true, enumerable: false });
}

const byIntl =
  (name: string): Method =>
  (self, given) =>
    part("intl").localeMethods[name]?.(self, given);

function joinItems(self: unknown, given: unknown[]): string {
  if (self === null || self === undefined) throw new TypeError("Cannot convert undefined or null to object");
  return Array.from(self as ArrayLike<unknown>, (item) =>
    item === null || item === undefined
      ? ""
      : (item as { toLocaleString(...args: unknown[]): string }).toLocaleString(...given),
  ).join(",");
}

/** Locales with their own rules for case; the engine handles all others. */
const specialCase = /^(?:az|lt|tr|el)\b/i;

const plainText = /^[A-Za-z0-9 ]*$/;

/** English order of plain texts: by letters ignoring case, then lower case before upper case. */
function comparePlain(first: string, second: string): number {
  const [one, other] = [first.toLowerCase(), second.toLowerCase()];
  if (one !== other) return one < other ? -1 : 1;
  for (let index = 0; index < first.length; index++) {
    const [letter = "", opposite = ""] = [first[index], second[index]];
    if (letter !== opposite) return letter > opposite ? -1 : 1;
  }
  return 0;
}

const isEnglish = (locales: unknown): boolean => locales === undefined || locales === "en" || locales === "en-US";

/** Defines the locale methods of the language's types as in Node: the engine's ignore the locale. */
function installLocaleMethods(): void {
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"])
    define(Date.prototype, name, byIntl(name));
  const format = byIntl("numberToLocaleString");
  define(Number.prototype, "toLocaleString", (self, given) =>
    format(Number.prototype.valueOf.call(self as number), given),
  );
  define(BigInt.prototype, "toLocaleString", (self, given) =>
    format(BigInt.prototype.valueOf.call(self as bigint), given),
  );
  define(Array.prototype, "toLocaleString", joinItems);
  define(Object.getPrototypeOf(Uint8Array.prototype) as object, "toLocaleString", joinItems);
  const compare = byIntl("localeCompare");
  define(String.prototype, "localeCompare", (self, given) => {
    if (self === null || self === undefined)
      throw new TypeError("String.prototype.localeCompare called on null or undefined");
    const [first, second] = [String(self), String(given[0])];
    // Fast path for sorting; the host compares everything else.
    const isPlain = given[2] === undefined && isEnglish(given[1]) && plainText.test(first) && plainText.test(second);
    return isPlain ? comparePlain(first, second) : compare(first, given);
  });
  for (const name of ["toLocaleUpperCase", "toLocaleLowerCase"] as const) {
    const convert = byIntl(name);
    const plain = name === "toLocaleUpperCase" ? "toUpperCase" : "toLowerCase";
    define(String.prototype, name, (self, given) => {
      const [locales] = given;
      const isPlain =
        locales === undefined ||
        (typeof locales === "string" && /^[a-z]{2}(?:-[A-Z]{2})?$/.test(locales) && !specialCase.test(locales));
      return isPlain ? String.prototype[plain].call(self) : convert(self, given);
    });
  }
}

interface ErrorType {
  captureStackTrace?: (subject: object) => void;
  prepareStackTrace?: unknown;
  stackTraceLimit?: number;
}

/** As in V8: sets `stack`, by `Error.prepareStackTrace` if that is defined. */
function captureStackTrace(subject: object): void {
  const stack = (new Error().stack ?? "").split("\n").slice(1).join("\n");
  const prepare = (Error as unknown as ErrorType).prepareStackTrace;
  const value =
    typeof prepare === "function"
      ? (prepare as (subject: object, sites: object[]) => unknown)(subject, part("rare").readCallSites(stack))
      : stack;
  Object.defineProperty(subject, "stack", { value, writable: true, configurable: true });
}

/** Adds the parts of ECMAScript that Node has and the engine lacks. */
export function installLanguage(): void {
  const types = Error as unknown as ErrorType;
  // A defined limit means that V8 runs the code; it needs none of this.
  if (types.stackTraceLimit === undefined) {
    types.captureStackTrace = captureStackTrace;
    types.stackTraceLimit = 10;
  }
  for (const name of ["dispose", "asyncDispose"])
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
  const { Iterator } = globalThis as unknown as { Iterator: { prototype: object } };
  const { dispose } = Symbol as unknown as { dispose: symbol };
  if (!(dispose in Iterator.prototype))
    Object.defineProperty(Iterator.prototype, dispose, {
      value(this: { return?: () => unknown }) {
        this.return?.();
      },
      writable: true,
      configurable: true,
    });
  definePart(Array, "fromAsync", "proposals", ({ fromAsync }) => fromAsync);
  installLocaleMethods();
}
