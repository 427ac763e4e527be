import { EventEmitter } from "node:events";

import type { Stats } from "./entry.ts";
import { argumentError } from "../node-error.ts";
import { exists, type OperationName, operations, type Operations } from "./operations.ts";

type Plain = (...args: unknown[]) => unknown;

const entries = Object.entries(operations) as [OperationName, Plain][];

/** The synchronous functions, such as `readFileSync`. */
export const synchronous: Record<string, Plain> = Object.fromEntries(
  entries.map(([name, run]) => [`${name}Sync`, named(`${name}Sync`, (...args) => run(...args))]),
);

function named(name: string, run: Plain): Plain {
  return Object.defineProperty(run, "name", { value: name, configurable: true });
}

/** The second result of a callback. */
const second: Partial<Record<OperationName, (args: readonly unknown[]) => unknown>> = {
  read: (args) => args[1],
  write: (args) => args[1],
};

/** The functions with callbacks, such as `readFile(path, callback)`: they run immediately and call back later. */
export const withCallbacks: Record<string, Plain> = Object.fromEntries(
  entries.map(([name, run]) => [
    name,
    named(name, (...args) => {
      const callback = args.pop();
      if (typeof callback !== "function") throw argumentError("cb", "of type function", callback);
      const callBack = (...results: unknown[]): void => void setImmediate(callback as Plain, ...results);
      try {
        const result = run(...args);
        const more = second[name];
        if (result === undefined && name !== "mkdir") callBack(null);
        else callBack(null, result, ...(more ? [more(args)] : []));
      } catch (error) {
        if (error instanceof TypeError) throw error;
        callBack(error);
      }
      return undefined;
    }),
  ]),
);

/** The functions of `fs/promises`. */
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

/** `fs.exists`: Node's only callback without an error argument. */
export function existsWithCallback(path: unknown, callback: (there: boolean) => void): void {
  setImmediate(callback, exists(path));
}

/** An open file of `fs/promises`. */
export class FileHandle extends EventEmitter {
  readonly fd: number;
  constructor(fd: number) {
    super();
    this.fd = fd;
  }
  async read(buffer: Uint8Array, ...rest: unknown[]): Promise<{ bytesRead: number; buffer: Uint8Array }> {
    return { bytesRead: operations.read(this.fd, buffer, ...rest), buffer };
  }
  async write(buffer: unknown, ...rest: unknown[]): Promise<{ bytesWritten: number; buffer: unknown }> {
    return { bytesWritten: operations.write(this.fd, buffer, ...rest), buffer };
  }
  async readFile(options?: unknown): Promise<ReturnType<Operations["readFile"]>> {
    return operations.readFile(this.fd, options);
  }
  async writeFile(data: unknown, options?: unknown): Promise<void> {
    operations.writeFile(this.fd, data, options);
  }
  async appendFile(data: unknown, options?: unknown): Promise<void> {
    operations.appendFile(this.fd, data, options);
  }
  async stat(): Promise<Stats> {
    return operations.fstat(this.fd);
  }
  async truncate(size?: number): Promise<void> {
    operations.ftruncate(this.fd, size);
  }
  async chmod(mode: unknown): Promise<void> {
    operations.fchmod(this.fd, mode);
  }
  async sync(): Promise<void> {
    operations.fsync(this.fd);
  }
  async datasync(): Promise<void> {
    operations.fdatasync(this.fd);
  }
  async close(): Promise<void> {
    operations.close(this.fd);
    this.emit("close");
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
