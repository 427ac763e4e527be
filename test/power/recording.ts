import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What a process did, in order. Paths are absolute. */
export type Operation =
  | {
      readonly kind: "open";
      readonly fd: string;
      readonly path: string;
      readonly created: boolean;
      readonly cut: boolean;
    }
  | { readonly kind: "write"; readonly fd: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: "truncate"; readonly fd: string; readonly size: number }
  | { readonly kind: "flush"; readonly fd: string }
  | { readonly kind: "rename"; readonly path: string; readonly to: string }
  | { readonly kind: "remove" | "mkdir"; readonly path: string }
  /** The beginning of an answer is about to leave for this port. */
  | { readonly kind: "answer"; readonly port: number }
  /** A call that the replay does not know. */
  | { readonly kind: "unknown" };

const recorder = fileURLToPath(new URL("recorder.c", import.meta.url));

/** Why nothing can be recorded here; undefined: it can. */
export function missingTools(): string | undefined {
  if (process.platform !== "linux") return "the recorder is for Linux";
  return spawnSync("gcc", ["--version"]).status === 0 ? undefined : "there is no gcc";
}

/** Compiles the recorder into a folder; returns the environment of processes whose writes below `root` are recorded. */
export function prepareRecording(
  folder: string,
  root: string,
): { readonly env: Readonly<Record<string, string>>; readonly file: string } {
  const library = join(folder, "recorder.so");
  execFileSync("gcc", ["-O1", "-Wall", "-shared", "-fPIC", "-o", library, recorder, "-ldl", "-lpthread"]);
  const file = join(folder, "record");
  return { env: { LD_PRELOAD: library, X_POWER_ROOT: root, X_POWER_RECORD: file, UV_USE_IO_URING: "0" }, file };
}

const headBytes = 32;

function operationOf(head: Buffer, payload: Buffer): Operation {
  const firstBytes = head.readUInt32LE(12);
  const [first, rest] = [payload.subarray(0, firstBytes), payload.subarray(firstBytes)];
  const fd = `${head.readUInt32LE(4)} ${head.readInt32LE(8)}`;
  const offset = Number(head.readBigUInt64LE(24));
  const path = first.toString("utf8");
  const flags = head.readUInt8(1);
  switch (String.fromCodePoint(head.readUInt8(0))) {
    case "O":
      return { kind: "open", fd, path, created: (flags & 1) !== 0, cut: (flags & 2) !== 0 };
    case "W":
      return { kind: "write", fd, offset, bytes: rest };
    case "T":
      return { kind: "truncate", fd, size: offset };
    case "F":
      return { kind: "flush", fd };
    case "R":
      return { kind: "rename", path, to: rest.toString("utf8") };
    case "U":
      return { kind: "remove", path };
    case "M":
      return { kind: "mkdir", path };
    case "S":
      return { kind: "answer", port: head.readInt32LE(8) };
    default:
      return { kind: "unknown" };
  }
}

/** Reads a record. */
export function readRecording(file: string): readonly Operation[] {
  const bytes = readFileSync(file);
  const operations: Operation[] = [];
  for (let at = 0; at < bytes.length;) {
    const head = bytes.subarray(at, at + headBytes);
    const size = head.readUInt32LE(12) + head.readUInt32LE(16);
    operations.push(operationOf(head, bytes.subarray(at + headBytes, at + headBytes + size)));
    at += headBytes + size;
  }
  return operations;
}
