import { definePart, part } from "./parts.ts";

interface ErrorType {
  captureStackTrace?: (subject: object) => void;
  prepareStackTrace?: unknown;
  stackTraceLimit?: number;
}

/** V8's: the stack at this place as the subject's `stack`, given to `Error.prepareStackTrace` if there is one. */
function captureStackTrace(subject: object): void {
  const stack = (new Error().stack ?? "").split("\n").slice(1).join("\n");
  const prepare = (Error as unknown as ErrorType).prepareStackTrace;
  const value =
    typeof prepare === "function"
      ? (prepare as (subject: object, sites: object[]) => unknown)(subject, part("rare").readCallSites(stack))
      : stack;
  Object.defineProperty(subject, "stack", { value, writable: true, configurable: true });
}

/** What Node's ECMAScript has and the engine has not. */
export function installLanguage(): void {
  const types = Error as unknown as ErrorType;
  // Where the limit is known, V8 itself runs the code, and does all of this better.
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
}
