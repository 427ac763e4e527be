import { Entry } from "./entry.ts";
import { fsError, type FsCode } from "./failure.ts";

/** Limit on the bytes of all files together, within the sandbox's memory limit. */
const maxBytes = 16 * 1024 * 1024;
const maxEntries = 10_000;
const home = "/tmp";

const parentOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf("/")));
const below = (folder: string): string => (folder === "/" ? "/" : `${folder}/`);

/**
 * The files of one realm: in its memory, below /tmp. No path leads to the host's files. Paths are absolute and
 * normalized.
 */
export class Volume {
  readonly #entries = new Map<string, Entry>();
  #used = 0;
  #lastIno = 0;

  constructor() {
    for (const path of ["/", home]) this.#entries.set(path, new Entry(++this.#lastIno, false, 0o777));
  }

  find(path: string): Entry | undefined {
    return this.#entries.get(path);
  }

  get(path: string, syscall: string): Entry {
    const entry = this.find(path);
    if (entry) return entry;
    throw fsError(this.#blocked(path) ?? "ENOENT", syscall, path);
  }

  /** Creates a file or folder; the path must be free. */
  create(path: string, isFile: boolean, mode: number, syscall: string): Entry {
    if (this.find(path)) throw fsError("EEXIST", syscall, path);
    const parent = this.find(parentOf(path));
    if (!parent || !path.startsWith(`${home}/`)) throw fsError(this.#blocked(path) ?? "ENOENT", syscall, path);
    if (!parent.isFolder) throw fsError("ENOTDIR", syscall, path);
    if (this.#entries.size >= maxEntries) throw fsError("ENOSPC", syscall, path);
    const entry = new Entry(++this.#lastIno, isFile, mode);
    this.#entries.set(path, entry);
    parent.changed();
    return entry;
  }

  /** Names in a folder, sorted. */
  list(path: string): string[] {
    const start = below(path);
    const inside = [...this.#entries.keys()].filter((each) => each.startsWith(start) && each.length > start.length);
    return inside
      .map((each) => each.slice(start.length))
      .filter((name) => !name.includes("/"))
      .sort();
  }

  remove(path: string): void {
    const entry = this.find(path);
    if (!entry || !this.#entries.delete(path)) return;
    this.#used -= entry.size;
    this.find(parentOf(path))?.changed();
  }

  removeAll(path: string): void {
    for (const each of this.#entries.keys()) if (each.startsWith(below(path))) this.remove(each);
    this.remove(path);
  }

  move(from: string, to: string): void {
    const moved = [...this.#entries].filter(([path]) => path === from || path.startsWith(below(from)));
    for (const [path] of moved) this.#entries.delete(path);
    this.removeAll(to);
    for (const [path, entry] of moved) this.#entries.set(to + path.slice(from.length), entry);
  }

  /** Truncates a file, or extends it with zeros. */
  resize(entry: Entry, size: number, syscall: string): void {
    if (this.#used + size - entry.size > maxBytes) throw fsError("ENOSPC", syscall);
    const bytes = entry.bytes ?? new Uint8Array(0);
    if (size > bytes.length) {
      // Spare room, so that many small writes do not copy the file each time.
      const grown = new Uint8Array(Math.min(Math.max(size, bytes.length * 2), size + maxBytes / 4));
      grown.set(entry.content);
      entry.bytes = grown;
    } else bytes.fill(0, Math.min(size, entry.size), entry.size);
    this.#used += size - entry.size;
    entry.size = size;
    entry.changed();
  }

  write(entry: Entry, at: number, bytes: Uint8Array): void {
    if (at + bytes.length > entry.size) this.resize(entry, at + bytes.length, "write");
    entry.bytes?.set(bytes, at);
    entry.changed();
  }

  /** ENOTDIR when an ancestor of a path is a file. */
  #blocked(path: string): FsCode | undefined {
    for (let folder = parentOf(path); folder !== "/"; folder = parentOf(folder)) {
      const entry = this.find(folder);
      if (entry) return entry.isFolder ? undefined : "ENOTDIR";
    }
    return undefined;
  }
}
