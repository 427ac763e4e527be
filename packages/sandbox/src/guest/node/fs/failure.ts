import { errno } from "../system-constants.ts";

const sentences = {
  EACCES: "permission denied",
  EBADF: "bad file descriptor",
  EEXIST: "file already exists",
  EINVAL: "invalid argument",
  EISDIR: "illegal operation on a directory",
  ENOENT: "no such file or directory",
  ENOSPC: "no space left on device",
  ENOTDIR: "not a directory",
  ENOTEMPTY: "directory not empty",
} as const;

export type FsCode = keyof typeof sentences;

/** An error like those of Node's file system. */
export function fsError(code: FsCode, syscall: string, path?: string, dest?: string): Error {
  const shown = path === undefined ? "" : ` '${path}'${dest === undefined ? "" : ` -> '${dest}'`}`;
  const error = new Error(`${code}: ${sentences[code]}, ${syscall}${shown}`);
  const number = errno[code];
  return Object.assign(error, {
    ...(number !== undefined && { errno: -number }),
    code,
    syscall,
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  });
}
