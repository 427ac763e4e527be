import { argumentError } from "./node-error.ts";

type Callback = (error: unknown, ...values: unknown[]) => void;
type Plain = (...args: unknown[]) => unknown;

const custom: unique symbol = Symbol.for("nodejs.util.promisify.custom");

/** `util.promisify`: a function with a callback as its last argument becomes one that returns a promise. */
function promisifyFunction(original: Plain & { [custom]?: unknown }): unknown {
  if (typeof original !== "function") throw argumentError("original", "of type function", original);
  const own = original[custom];
  if (own !== undefined) {
    if (typeof own !== "function") throw argumentError("util.promisify.custom", "of type function", own);
    return Object.defineProperty(own, custom, { value: own, configurable: true });
  }
  const promised = function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done: Callback = (error, ...values) => {
        if (error) reject(error);
        else resolve(values[0]);
      };
      void Promise.resolve(original.call(this, ...args, done)).catch(reject);
    });
  };
  Object.setPrototypeOf(promised, Object.getPrototypeOf(original) as object);
  Object.defineProperty(promised, custom, { value: promised, configurable: true });
  return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
}

export const promisify = Object.assign(promisifyFunction, { custom });

export function callbackify(original: (...args: unknown[]) => Promise<unknown>): Plain {
  if (typeof original !== "function") throw argumentError("original", "of type function", original);
  const called = function (this: unknown, ...args: unknown[]): void {
    const done = args.pop();
    if (typeof done !== "function") throw argumentError("last argument", "of type function", done);
    const callback = done as Callback;
    original.apply(this, args).then(
      (value) => process.nextTick(callback, null, value),
      (error: unknown) => process.nextTick(callback, error || falsyReason(error)),
    );
  };
  return Object.defineProperties(called, {
    name: { value: `${original.name}Callbackified`, configurable: true },
    length: { value: original.length + 1, configurable: true },
  });
}

const falsyReason = (reason: unknown): Error =>
  Object.assign(new Error("Promise was rejected with falsy value"), { code: "ERR_FALSY_VALUE_REJECTION", reason });
