import { Dirent, Stats } from "../node/fs/entry.ts";
import { existsWithCallback, FileHandle, promised, synchronous, withCallbacks } from "../node/fs/forms.ts";
import { exists, operations } from "../node/fs/operations.ts";
import { fileStreams } from "../node/fs/streams.ts";
import { withLazyMembers } from "../node/lazy-members.ts";

const withoutDescriptors = ["close", "fchmod", "fdatasync", "fstat", "fsync", "ftruncate", "futimes", "read", "write"];
const { realpath } = withCallbacks;
const { realpathSync } = synchronous;
const promises: Record<string, unknown> = {
  ...Object.fromEntries(Object.entries(promised).filter(([name]) => !withoutDescriptors.includes(name))),
  open: async (...args: Parameters<typeof operations.open>) => new FileHandle(operations.open(...args)),
};

const fs = {
  ...withCallbacks,
  ...synchronous,
  realpath: realpath && Object.assign(realpath, { native: realpath }),
  realpathSync: realpathSync && Object.assign(realpathSync, { native: realpathSync }),
  exists: existsWithCallback,
  existsSync: exists,
  createReadStream: (path: unknown, options?: unknown) => new (fileStreams().ReadStream)(path, options),
  createWriteStream: (path: unknown, options?: unknown) => new (fileStreams().WriteStream)(path, options),
  Dirent,
  Stats,
  promises,
};

const readStream = (): unknown => fileStreams().ReadStream;
const writeStream = (): unknown => fileStreams().WriteStream;

export default withLazyMembers(fs, {
  ReadStream: readStream,
  FileReadStream: readStream,
  WriteStream: writeStream,
  FileWriteStream: writeStream,
});
