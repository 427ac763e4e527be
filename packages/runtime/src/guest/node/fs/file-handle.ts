import { EventEmitter } from "node:events";

import { operations, type Operations } from "./operations.ts";
import type { Stats } from "./entry.ts";

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
