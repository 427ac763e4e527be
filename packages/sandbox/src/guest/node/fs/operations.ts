import { argumentError } from "../node-error.ts";
import { fsError } from "./failure.ts";
import { encodeBytes, readBytes, readMode, readOptions, readPath, readTime } from "./arguments.ts";
import { Descriptors } from "./descriptors.ts";
import { Dirent, type Entry, Stats } from "./entry.ts";
import { Volume } from "./volume.ts";

type Data = string | Uint8Array;
interface FileOptions {
  flag?: string;
  mode?: number;
}

const fileMode = 0o666 & ~0o022;
const folderMode = 0o777 & ~0o022;
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const volume = new Volume();
const descriptors = new Descriptors(volume);

const whole = (value: unknown): number | undefined =>
  typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;

/** The entry of a path or descriptor. */
function entryOf(given: unknown, syscall: string): Entry {
  return typeof given === "number" ? descriptors.get(given, syscall).entry : volume.get(readPath(given), syscall);
}

function folderAt(path: string, syscall: string): Entry {
  const entry = volume.get(path, syscall);
  if (!entry.isFolder) throw fsError("ENOTDIR", syscall, path);
  return entry;
}

function withFile<Result>(given: unknown, flag: string, mode: unknown, use: (fd: number) => Result): Result {
  if (typeof given === "number") return use(given);
  const fd = open(given, flag, mode);
  try {
    return use(fd);
  } finally {
    descriptors.close(fd);
  }
}

function open(given: unknown, flags: unknown = "r", mode?: unknown): number {
  return descriptors.open(readPath(given), flags, readMode(mode, fileMode));
}

function readFile(given: unknown, options?: unknown): Data {
  const { encoding, flag = "r" } = readOptions<FileOptions>(options);
  return withFile(given, flag, undefined, (fd) => {
    const { entry } = descriptors.get(fd, "read");
    if (entry.isFolder) throw fsError("EISDIR", "read");
    return encodeBytes(entry.content, encoding);
  });
}

function writeFile(given: unknown, data: unknown, options?: unknown, usual = "w"): void {
  const { encoding, flag = usual, mode } = readOptions<FileOptions>(options);
  const bytes = readBytes(data, encoding);
  withFile(given, flag, mode, (fd) => descriptors.write(fd, bytes, undefined));
}

/** `read(fd, buffer, offset, length, position)` or `read(fd, buffer, options)`. */
function read(fd: unknown, buffer: unknown, ...rest: unknown[]): number {
  if (!ArrayBuffer.isView(buffer))
    throw argumentError("buffer", "an instance of Buffer, TypedArray, or DataView", buffer);
  const [options] = rest;
  const given = typeof options === "object" && options !== null ? (options as Record<string, unknown>) : undefined;
  const [offset, length, position] = given ? [given["offset"], given["length"], given["position"]] : rest;
  const start = whole(offset) ?? 0;
  const size = whole(length) ?? buffer.byteLength - start;
  const at = whole(position);
  return descriptors.read(
    fd,
    new Uint8Array(buffer.buffer, buffer.byteOffset + start, size),
    at === -1 ? undefined : at,
  );
}

/** `write(fd, buffer, offset, length, position)` or `write(fd, text, position, encoding)`. */
function write(fd: unknown, data: unknown, ...rest: unknown[]): number {
  if (typeof data === "string")
    return descriptors.write(fd, readBytes(data, rest[1] as BufferEncoding), whole(rest[0]));
  const bytes = readBytes(data);
  const start = whole(rest[0]) ?? 0;
  const length = whole(rest[1]) ?? bytes.length - start;
  return descriptors.write(fd, bytes.subarray(start, start + length), whole(rest[2]));
}

function stat(
  given: unknown,
  { throwIfNoEntry = true }: { throwIfNoEntry?: boolean } = {},
  syscall = "stat",
): Stats | undefined {
  const path = readPath(given);
  if (!throwIfNoEntry && !volume.find(path)) return undefined;
  return new Stats(volume.get(path, syscall));
}

function mkdir(given: unknown, options?: unknown): string | undefined {
  const path = readPath(given);
  const { recursive = false, mode } =
    typeof options === "object" && options !== null
      ? (options as { recursive?: boolean; mode?: unknown })
      : { mode: options };
  if (!recursive) {
    volume.create(path, false, readMode(mode, folderMode), "mkdir");
    return undefined;
  }
  const parts = path.split("/").slice(1);
  const folders = parts.map((_part, index) => `/${parts.slice(0, index + 1).join("/")}`);
  const file = folders.find((each) => volume.find(each)?.isFolder === false);
  if (file !== undefined) throw fsError(file === path ? "EEXIST" : "ENOTDIR", "mkdir", path);
  const missing = folders.filter((each) => !volume.find(each));
  for (const each of missing) volume.create(each, false, readMode(mode, folderMode), "mkdir");
  return missing[0];
}

function readdir(given: unknown, options?: unknown): (Data | Dirent)[] {
  const { encoding, withFileTypes, recursive } = readOptions<{ withFileTypes: boolean; recursive: boolean }>(options);
  const root = readPath(given);
  folderAt(root, "scandir");
  const found: (Data | Dirent)[] = [];
  const add = (folder: string, prefix: string): void => {
    for (const name of volume.list(folder)) {
      const path = folder === "/" ? `/${name}` : `${folder}/${name}`;
      const { isFolder } = volume.get(path, "scandir");
      found.push(withFileTypes ? new Dirent(name, folder, isFolder) : encodeName(prefix + name, encoding));
      if (recursive && isFolder) add(path, `${prefix}${name}/`);
    }
  };
  add(root, "");
  return found;
}

const encodeName = (name: string, encoding: string | null | undefined): Data =>
  encoding === "buffer" ? Buffer.from(name) : name;

function rmdir(given: unknown): void {
  const path = readPath(given);
  folderAt(path, "rmdir");
  if (volume.list(path).length > 0) throw fsError("ENOTEMPTY", "rmdir", path);
  removePath(path, "rmdir");
}

function rm(given: unknown, { recursive = false, force = false }: { recursive?: boolean; force?: boolean } = {}): void {
  const path = readPath(given);
  if (force && !volume.find(path)) return;
  if (volume.get(path, "lstat").isFolder && !recursive) {
    const error = new Error(`Path is a directory: rm returned EISDIR (is a directory) ${path}`);
    throw Object.assign(error, { name: "SystemError", code: "ERR_FS_EISDIR", syscall: "rm", path });
  }
  removePath(path, "rm");
}

/** Removes a path below /tmp; `/` and `/tmp` are permanent. */
function removePath(path: string, syscall: string): void {
  if (!path.startsWith("/tmp/")) throw fsError("EACCES", syscall, path);
  volume.removeAll(path);
}

function unlink(given: unknown): void {
  const path = readPath(given);
  if (volume.get(path, "unlink").isFolder) throw fsError("EISDIR", "unlink", path);
  volume.remove(path);
}

function rename(from: unknown, to: unknown): void {
  const [source, target] = [readPath(from, "oldPath"), readPath(to, "newPath")];
  if (source === target) return;
  const entry = volume.find(source);
  const goal = volume.find(target);
  const parent = volume.find(target.slice(0, Math.max(1, target.lastIndexOf("/"))));
  if (!entry || !parent?.isFolder || !target.startsWith("/tmp/")) throw fsError("ENOENT", "rename", source, target);
  if (!source.startsWith("/tmp/")) throw fsError("EACCES", "rename", source, target);
  if (target.startsWith(`${source}/`)) throw fsError("EINVAL", "rename", source, target);
  if (goal?.isFolder && !entry.isFolder) throw fsError("EISDIR", "rename", source, target);
  if (goal && !goal.isFolder && entry.isFolder) throw fsError("ENOTDIR", "rename", source, target);
  if (goal && volume.list(target).length > 0) throw fsError("ENOTEMPTY", "rename", source, target);
  volume.move(source, target);
}

const exclusiveCopy = 1;

function copyFile(from: unknown, to: unknown, mode = 0): void {
  const [source, target] = [readPath(from, "src"), readPath(to, "dest")];
  const entry = volume.find(source);
  if (!entry) throw fsError("ENOENT", "copyfile", source, target);
  if (entry.isFolder) throw fsError("EISDIR", "copyfile", source, target);
  if (mode & exclusiveCopy && volume.find(target)) throw fsError("EEXIST", "copyfile", source, target);
  writeFile(target, entry.content.slice());
}

function mkdtemp(prefix: unknown): string {
  if (typeof prefix !== "string") throw argumentError("prefix", "of type string", prefix);
  const random = Array.from({ length: 6 }, () => letters.charAt(Math.floor(Math.random() * letters.length)));
  const path = readPath(prefix + random.join(""));
  volume.create(path, false, 0o700, "mkdtemp");
  return path;
}

function access(given: unknown): void {
  volume.get(readPath(given), "access");
}

function setTimes(entry: Entry, accessed: unknown, modified: unknown): void {
  entry.atimeMs = readTime(accessed);
  entry.mtimeMs = readTime(modified);
}

function setMode(entry: Entry, mode: unknown): void {
  entry.mode = readMode(mode, entry.mode) & 0o7777;
}

function realpath(given: unknown): string {
  const path = readPath(given);
  volume.get(path, "realpath");
  return path;
}

/** The operations of Node's file system; the variants with callbacks and promises call these. */
export const operations = {
  access,
  appendFile: (given: unknown, data: unknown, options?: unknown) => writeFile(given, data, options, "a"),
  chmod: (given: unknown, mode: unknown) => setMode(entryOf(given, "chmod"), mode),
  chown: (given: unknown) => void entryOf(given, "chown"),
  close: (fd: unknown) => descriptors.close(fd),
  copyFile,
  fchmod: (fd: number, mode: unknown) => setMode(entryOf(fd, "fchmod"), mode),
  fdatasync: (fd: unknown) => void descriptors.get(fd, "fdatasync"),
  fstat: (fd: unknown) => new Stats(descriptors.get(fd, "fstat").entry),
  fsync: (fd: unknown) => void descriptors.get(fd, "fsync"),
  ftruncate: (fd: unknown, size = 0) => volume.resize(descriptors.get(fd, "ftruncate").entry, size, "ftruncate"),
  futimes: (fd: number, accessed: unknown, modified: unknown) => setTimes(entryOf(fd, "futime"), accessed, modified),
  lstat: (given: unknown, options?: { throwIfNoEntry?: boolean }) => stat(given, options, "lstat"),
  mkdir,
  mkdtemp,
  open,
  read,
  readFile,
  readdir,
  readlink: (given: unknown) => {
    const path = readPath(given);
    volume.get(path, "readlink");
    throw fsError("EINVAL", "readlink", path);
  },
  realpath,
  rename,
  rm,
  rmdir,
  stat: (given: unknown, options?: { throwIfNoEntry?: boolean }) => stat(given, options),
  truncate: (given: unknown, size = 0) => {
    const entry = entryOf(given, "open");
    if (entry.isFolder) throw fsError("EISDIR", "open", readPath(given));
    volume.resize(entry, size, "truncate");
  },
  unlink,
  utimes: (given: unknown, accessed: unknown, modified: unknown) =>
    setTimes(entryOf(given, "utime"), accessed, modified),
  write,
  writeFile: (given: unknown, data: unknown, options?: unknown) => writeFile(given, data, options),
};

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export function exists(given: unknown): boolean {
  try {
    return volume.find(readPath(given)) !== undefined;
  } catch {
    return false;
  }
}
