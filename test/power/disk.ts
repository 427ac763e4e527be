import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { Random } from "../faults/random.ts";
import type { Operation } from "./recording.ts";

/** What survives of what was not flushed: nothing, all of it, or sectors by chance. */
export type Survival = "flushed" | "all" | "torn";

type Pending = { readonly offset: number; readonly bytes: Buffer } | { readonly size: number };

/** A file, whatever its name. */
interface Inode {
  bytes: Buffer;
  size: number;
  /** As of its last flush. */
  flushed: Buffer;
  pending: Pending[];
}

/** What a name leads to. */
type Entry = Inode | "folder";

/** A change of names; `folders`: those whose flush makes it durable. */
interface NameChange {
  readonly folders: readonly string[];
  apply(names: Map<string, Entry>): void;
}

/** A disk with a cache that may lose, at a power failure, what was not flushed. */
export interface Disk {
  apply(operation: Operation): void;
  /** Number of writes and changes of names that were not flushed. */
  readonly unflushed: number;
  /** Writes what a power failure leaves now into a folder. */
  crash(target: string, survival: Survival, random: Random): void;
}

/** Disks write these as a whole or not at all. */
const sectorBytes = 512;

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

function grow(bytes: Buffer, size: number): Buffer {
  if (size <= bytes.length) return bytes;
  const larger = Buffer.alloc(Math.max(size, 2 * bytes.length));
  bytes.copy(larger);
  return larger;
}

function write(inode: Pick<Inode, "bytes" | "size">, offset: number, bytes: Buffer): void {
  inode.bytes = grow(inode.bytes, offset + bytes.length);
  bytes.copy(inode.bytes, offset);
  inode.size = Math.max(inode.size, offset + bytes.length);
}

function truncate(inode: Pick<Inode, "bytes" | "size">, size: number): void {
  inode.bytes = grow(inode.bytes, size);
  if (size < inode.size) inode.bytes.fill(0, size, inode.size);
  inode.size = size;
}

/** The sectors that a write covers, as writes. */
function* sectorsOf(offset: number, bytes: Buffer): Generator<readonly [offset: number, bytes: Buffer]> {
  for (let from = offset; from < offset + bytes.length;) {
    const to = Math.min(offset + bytes.length, (Math.floor(from / sectorBytes) + 1) * sectorBytes);
    yield [from, bytes.subarray(from - offset, to - offset)];
    from = to;
  }
}

/** The content after a power failure. Sectors survive in any order: a later one without an earlier one, too. */
function contentOf(inode: Inode, survival: Survival, random: Random): Buffer {
  if (survival === "all") return inode.bytes.subarray(0, inode.size);
  if (survival === "flushed") return inode.flushed;
  const left = { bytes: Buffer.from(inode.flushed), size: inode.flushed.length };
  const share = random();
  for (const pending of inode.pending) {
    if ("size" in pending) {
      if (random() < share) truncate(left, pending.size);
      continue;
    }
    for (const [offset, bytes] of sectorsOf(pending.offset, pending.bytes)) {
      if (random() < share) write(left, offset, bytes);
    }
  }
  return left.bytes.subarray(0, left.size);
}

function moved(names: Map<string, Entry>, from: string, to: string): void {
  const inside = [...names].filter(([path]) => isUnder(path, from));
  for (const [path] of inside) names.delete(path);
  for (const [path, entry] of inside) names.set(to + path.slice(from.length), entry);
}

/** The names of a tree: as they are, and as they were flushed. */
interface Tree {
  readonly names: ReadonlyMap<string, Entry>;
  readonly unflushed: number;
  change(folders: readonly string[], apply: NameChange["apply"]): void;
  flush(folder: string): void;
  /** Changes survive in their order, as in file systems with a journal. */
  surviving(survival: Survival, random: Random): ReadonlyMap<string, Entry>;
}

function createTree(root: string): Tree {
  const names = new Map<string, Entry>([[root, "folder"]]);
  const durable = new Map(names);
  let changes: NameChange[] = [];
  return {
    names,
    get unflushed() {
      return changes.length;
    },
    change(folders, apply) {
      apply(names);
      changes.push({ folders, apply });
    },
    flush(folder) {
      for (const each of changes) if (each.folders.includes(folder)) each.apply(durable);
      changes = changes.filter((each) => !each.folders.includes(folder));
    },
    surviving(survival, random) {
      const kept = survival === "all" ? changes.length : survival === "flushed" ? 0 : random() * (changes.length + 1);
      const left = new Map(durable);
      for (const each of changes.slice(0, Math.floor(kept))) each.apply(left);
      return left;
    },
  };
}

/** Writes a tree that a power failure left into a folder. */
function writeTree(root: string, left: ReadonlyMap<string, Entry>, target: string, of: (inode: Inode) => Buffer): void {
  const isReachable = (path: string): boolean =>
    path === root || (left.get(dirname(path)) === "folder" && isReachable(dirname(path)));
  for (const [path, entry] of [...left].toSorted(([a], [b]) => a.length - b.length)) {
    // The index of the log is mapped into memory and made anew: what is in its file does not matter.
    if (!isReachable(path) || path.endsWith("-shm")) continue;
    const place = join(target, relative(root, path));
    if (entry === "folder") mkdirSync(place, { recursive: true });
    else writeFileSync(place, of(entry), { mode: 0o600 });
  }
}

/** A disk whose only folder is `root`, without files. */
export function createDisk(root: string): Disk {
  const tree = createTree(root);
  const opened = new Map<string, { readonly path: string; readonly entry: Entry }>();

  function openFile({ fd, path, created, cut }: Operation & { kind: "open" }): void {
    if (created) {
      const inode: Inode = { bytes: Buffer.alloc(0), size: 0, flushed: Buffer.alloc(0), pending: [] };
      tree.change([dirname(path)], (into) => into.set(path, inode));
    }
    const entry = tree.names.get(path);
    if (!entry) throw new Error(`${path} was opened, and nothing is known of it`);
    opened.set(fd, { path, entry });
    if (cut && !created && entry !== "folder") cutOff(entry, 0);
  }

  function cutOff(inode: Inode, size: number): void {
    truncate(inode, size);
    inode.pending.push({ size });
  }

  function openedAs(fd: string): { readonly path: string; readonly entry: Entry } {
    const found = opened.get(fd);
    if (!found) throw new Error(`Descriptor ${fd} is not known`);
    return found;
  }
  function fileOf(fd: string): Inode {
    const { path, entry } = openedAs(fd);
    if (entry === "folder") throw new Error(`${path} is a folder`);
    return entry;
  }

  /** A flushed file keeps its content; a flushed folder keeps its names. Neither keeps the other. */
  function flush(fd: string): void {
    const { path, entry } = openedAs(fd);
    if (entry === "folder") return tree.flush(path);
    entry.flushed = Buffer.from(entry.bytes.subarray(0, entry.size));
    entry.pending = [];
  }

  function apply(operation: Operation): void {
    switch (operation.kind) {
      case "open":
        return openFile(operation);
      case "write": {
        const inode = fileOf(operation.fd);
        write(inode, operation.offset, operation.bytes);
        return void inode.pending.push({ offset: operation.offset, bytes: operation.bytes });
      }
      case "truncate":
        return cutOff(fileOf(operation.fd), operation.size);
      case "flush":
        return flush(operation.fd);
      case "rename": {
        const { path, to } = operation;
        return tree.change([dirname(path), dirname(to)], (into) => moved(into, path, to));
      }
      case "remove":
        return tree.change([dirname(operation.path)], (into) => into.delete(operation.path));
      case "mkdir":
        return tree.change([dirname(operation.path)], (into) => into.set(operation.path, "folder"));
      case "answer":
        return undefined;
      case "unknown":
        throw new Error("The record has a call that the replay does not know");
    }
  }

  return {
    apply,
    get unflushed() {
      const files = new Set([...tree.names.values()].filter((entry) => entry !== "folder"));
      return tree.unflushed + [...files].reduce((sum, { pending }) => sum + pending.length, 0);
    },
    crash(target, survival, random) {
      writeTree(root, tree.surviving(survival, random), target, (inode) => contentOf(inode, survival, random));
    },
  };
}
