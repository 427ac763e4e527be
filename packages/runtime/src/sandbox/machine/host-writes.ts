type HostFunction = (...args: unknown[]) => unknown;

/** More than any of them writes from one pointer. */
const mostBytes = 1024;

/**
 * Makes the functions that the engine imports report what they may write: some bytes from each pointer that they were given.
 * Those that only call back are left alone, because what is called back reports what it writes. Their names are minified, so
 * their code identifies them.
 */
export function markHostWrites(imports: object, wrote: (address: number, length: number) => void): void {
  for (const functions of Object.values(imports) as Record<string, HostFunction>[]) {
    for (const [name, run] of Object.entries(functions)) {
      if (typeof run !== "function" || run.length === 0 || String(run).includes(".callbacks.")) continue;
      functions[name] = (...args) => {
        for (const arg of args) if (typeof arg === "number") wrote(arg >>> 0, mostBytes);
        return run(...args);
      };
    }
  }
}
