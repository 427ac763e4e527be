import { Dirent, Stats } from "../node/fs/entry.ts";
import { FileHandle } from "../node/fs/file-handle.ts";
import { existsWithCallback, promised, synchronous, withCallbacks } from "../node/fs/forms.ts";
import { exists, operations } from "../node/fs/operations.ts";
import { ReadStream, WriteStream } from "../node/fs/streams.ts";

const withoutDescriptors = ["close", "fchmod", "fdatasync", "fstat", "fsync", "ftruncate", "futimes", "read", "write"];
const { realpath } = withCallbacks;
const { realpathSync } = synchronous;
const promises: Record<string, unknown> = {
  ...Object.fromEntries(Object.entries(promised).filter(([name]) => !withoutDescriptors.includes(name))),
  open: async (...args: Parameters<typeof operations.open>) => new FileHandle(operations.open(...args)),
};

export default {
  ...withCallbacks,
  ...synchronous,
  realpath: realpath && Object.assign(realpath, { native: realpath }),
  realpathSync: realpathSync && Object.assign(realpathSync, { native: realpathSync }),
  exists: existsWithCallback,
  existsSync: exists,
  createReadStream: (path: unknown, options?: unknown) => new ReadStream(path, options),
  createWriteStream: (path: unknown, options?: unknown) => new WriteStream(path, options),
  Dirent,
  FileReadStream: ReadStream,
  FileWriteStream: WriteStream,
  ReadStream,
  Stats,
  WriteStream,
  promises,
};
