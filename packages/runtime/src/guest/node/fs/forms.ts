import { argumentError } from "./failure.ts";
import { exists, type OperationName, operations } from "./operations.ts";

type Plain = (...args: unknown[]) => unknown;

const entries = Object.entries(operations) as [OperationName, Plain][];

/** `readFileSync` and its like. */
export const synchronous: Record<string, Plain> = Object.fromEntries(
  entries.map(([name, run]) => [`${name}Sync`, named(`${name}Sync`, (...args) => run(...args))]),
);

function named(name: string, run: Plain): Plain {
  return Object.defineProperty(run, "name", { value: name, configurable: true });
}

/** What the callback gets beside the result. */
const second: Partial<Record<OperationName, (args: readonly unknown[]) => unknown>> = {
  read: (args) => args[1],
  write: (args) => args[1],
};

/** `readFile(path, callback)` and its like: done at once, told later. */
export const withCallbacks: Record<string, Plain> = Object.fromEntries(
  entries.map(([name, run]) => [
    name,
    named(name, (...args) => {
      const callback = args.pop();
      if (typeof callback !== "function") throw argumentError("cb", "of type function", callback);
      const tell = (...told: unknown[]): void => void setImmediate(callback as Plain, ...told);
      try {
        const result = run(...args);
        const more = second[name];
        if (result === undefined && name !== "mkdir") tell(null);
        else tell(null, result, ...(more ? [more(args)] : []));
      } catch (error) {
        if (error instanceof TypeError) throw error;
        tell(error);
      }
      return undefined;
    }),
  ]),
);

/** `readFile(path)` of `fs/promises` and its like. */
export const promised: Record<string, Plain> = Object.fromEntries(
  entries.map(([name, run]) => [
    name,
    named(
      name,
      (...args) =>
        new Promise((resolve, reject) => {
          try {
            const result = run(...args);
            setImmediate(() => resolve(result));
          } catch (error) {
            reject(error);
          }
        }),
    ),
  ]),
);

/** Node's only callback without an error. */
export function existsWithCallback(path: unknown, callback: (there: boolean) => void): void {
  setImmediate(callback, exists(path));
}
