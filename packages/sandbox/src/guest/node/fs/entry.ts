const folderBits = 0o040000;
const fileBits = 0o100000;

/** A file or folder; times in epoch ms. */
export class Entry {
  /** Undefined for a folder. Can be longer than the file, which has `size` bytes. */
  bytes: Uint8Array | undefined;
  size = 0;
  mode: number;
  readonly ino: number;
  readonly birthtimeMs: number = Date.now();
  atimeMs: number = this.birthtimeMs;
  mtimeMs: number = this.birthtimeMs;

  constructor(ino: number, isFile: boolean, mode: number) {
    this.ino = ino;
    this.bytes = isFile ? new Uint8Array(0) : undefined;
    this.mode = mode & 0o7777;
  }
  get isFolder(): boolean {
    return this.bytes === undefined;
  }
  get content(): Uint8Array {
    return (this.bytes ?? new Uint8Array(0)).subarray(0, this.size);
  }
  changed(): void {
    this.mtimeMs = Date.now();
  }
}

class Kind {
  readonly #isFolder: boolean;
  constructor(isFolder: boolean) {
    this.#isFolder = isFolder;
  }
  isFile(): boolean {
    return !this.#isFolder;
  }
  isDirectory(): boolean {
    return this.#isFolder;
  }
  isSymbolicLink(): boolean {
    return false;
  }
  isBlockDevice(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return false;
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
}

export class Stats extends Kind {
  readonly dev = 1;
  readonly nlink = 1;
  readonly uid = 0;
  readonly gid = 0;
  readonly rdev = 0;
  readonly blksize = 4096;
  readonly ino: number;
  readonly mode: number;
  readonly size: number;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;

  constructor(entry: Entry) {
    super(entry.isFolder);
    this.ino = entry.ino;
    this.mode = (entry.isFolder ? folderBits : fileBits) | entry.mode;
    this.size = entry.size;
    this.blocks = Math.ceil(entry.size / 512);
    this.atimeMs = entry.atimeMs;
    this.mtimeMs = entry.mtimeMs;
    this.ctimeMs = entry.mtimeMs;
    this.birthtimeMs = entry.birthtimeMs;
    this.atime = new Date(entry.atimeMs);
    this.mtime = new Date(entry.mtimeMs);
    this.ctime = new Date(entry.mtimeMs);
    this.birthtime = new Date(entry.birthtimeMs);
  }
}

export class Dirent extends Kind {
  readonly name: string;
  readonly parentPath: string;
  readonly path: string;
  constructor(name: string, parentPath: string, isFolder: boolean) {
    super(isFolder);
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
  }
}
