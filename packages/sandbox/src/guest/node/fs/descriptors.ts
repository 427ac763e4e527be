import { argumentError } from "../node-error.ts";
import { fsError } from "./failure.ts";
import type { Entry } from "./entry.ts";
import type { Volume } from "./volume.ts";

interface Opened {
  readonly entry: Entry;
  readonly path: string;
  readonly reads: boolean;
  readonly writes: boolean;
  readonly appends: boolean;
  position: number;
}

const bits = { writeOnly: 1, readWrite: 2, create: 0o100, exclusive: 0o200, truncate: 0o1000, append: 0o2000 };
const named: Readonly<Record<string, number>> = {
  r: 0,
  rs: 0,
  "r+": bits.readWrite,
  "rs+": bits.readWrite,
  w: bits.writeOnly | bits.create | bits.truncate,
  wx: bits.writeOnly | bits.create | bits.truncate | bits.exclusive,
  "w+": bits.readWrite | bits.create | bits.truncate,
  "wx+": bits.readWrite | bits.create | bits.truncate | bits.exclusive,
  a: bits.writeOnly | bits.create | bits.append,
  ax: bits.writeOnly | bits.create | bits.append | bits.exclusive,
  as: bits.writeOnly | bits.create | bits.append,
  "a+": bits.readWrite | bits.create | bits.append,
  "ax+": bits.readWrite | bits.create | bits.append | bits.exclusive,
};

function readFlags(given: unknown): number {
  if (given === undefined || given === null) return 0;
  const flags = typeof given === "number" ? given : named[given as string];
  if (flags === undefined)
    throw Object.assign(argumentError("flags", "a known flag", given), { code: "ERR_INVALID_ARG_VALUE" });
  return flags;
}

const firstNumber = 3;

/** The open files of a realm, by descriptor. */
export class Descriptors {
  readonly #volume: Volume;
  readonly #opened = new Map<number, Opened>();

  constructor(volume: Volume) {
    this.#volume = volume;
  }

  open(path: string, given: unknown, mode: number): number {
    const flags = readFlags(given);
    const known = this.#volume.find(path);
    if (known && flags & bits.exclusive) throw fsError("EEXIST", "open", path);
    const writes = (flags & (bits.writeOnly | bits.readWrite)) !== 0;
    if (known?.isFolder && writes) throw fsError("EISDIR", "open", path);
    const makes = !known && flags & bits.create;
    const entry = makes ? this.#volume.create(path, true, mode, "open") : this.#volume.get(path, "open");
    if (flags & bits.truncate) this.#volume.resize(entry, 0, "open");
    let fd = firstNumber;
    while (this.#opened.has(fd)) fd += 1;
    const reads = (flags & bits.writeOnly) === 0;
    this.#opened.set(fd, { entry, path, reads, writes, appends: (flags & bits.append) !== 0, position: 0 });
    return fd;
  }

  get(fd: unknown, syscall: string): Opened {
    if (typeof fd !== "number") throw argumentError("fd", "of type number", fd);
    const opened = this.#opened.get(fd);
    if (!opened) throw fsError("EBADF", syscall);
    return opened;
  }

  close(fd: unknown): void {
    this.get(fd, "close");
    this.#opened.delete(fd as number);
  }

  /** Copies bytes from `position`, by default from the end of the last read. Returns their number. */
  read(fd: unknown, into: Uint8Array, position: number | undefined): number {
    const opened = this.get(fd, "read");
    if (!opened.reads) throw fsError("EBADF", "read");
    if (opened.entry.isFolder) throw fsError("EISDIR", "read");
    const from = position ?? opened.position;
    const bytes = opened.entry.content.subarray(from, from + into.length);
    into.set(bytes);
    if (position === undefined) opened.position += bytes.length;
    return bytes.length;
  }

  write(fd: unknown, bytes: Uint8Array, position: number | undefined): number {
    const opened = this.get(fd, "write");
    if (!opened.writes) throw fsError("EBADF", "write");
    const at = opened.appends ? opened.entry.size : (position ?? opened.position);
    this.#volume.write(opened.entry, at, bytes);
    if (position === undefined) opened.position = at + bytes.length;
    return bytes.length;
  }
}
