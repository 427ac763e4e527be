import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import zlib from "node:zlib";

import { XError } from "@x/model";

/** The lines of an export, read from the beginning. */
export interface ExportLines {
  /** Rejects with `store_corrupt` when there is no other line. */
  next(): Promise<string>;
  /** The checksum of all lines so far but the last one. */
  sha256(): string;
  /** True when no line follows. */
  isAtEnd(): Promise<boolean>;
  close(): void;
}

export const damagedExport = (file: string, problem: string, cause?: unknown): XError =>
  new XError("store_corrupt", [file, `${problem}; make the export again, or use another copy of it`], { cause });

const groupChars = 4 * 1024 * 1024;

/** Lines in groups of a few MiB. */
async function* readLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  let parts: Uint8Array[] = [];
  let lines: string[] = [];
  let chars = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      parts.push(chunk.subarray(start, end));
      const text = Buffer.concat(parts).toString("utf8");
      parts = [];
      start = end + 1;
      lines.push(text);
      chars += text.length;
      if (chars < groupChars) continue;
      yield lines;
      lines = [];
      chars = 0;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) throw new Error("its last line has no end");
  if (lines.length > 0) yield lines;
}

/** Opens a compressed file of lines. */
export function openExportLines(file: string): ExportLines {
  const input = createReadStream(file);
  const plain = zlib.createZstdDecompress();
  // Errors of both arrive at the reader of `plain`.
  input.on("error", (error) => plain.destroy(error)).pipe(plain);
  const groups = readLines(plain)[Symbol.asyncIterator]();
  const hash = createHash("sha256");
  let waiting: readonly string[] = [];
  let at = 0;
  let last: string | undefined;

  async function isAtEnd(): Promise<boolean> {
    if (at < waiting.length) return false;
    try {
      const { value, done } = await groups.next();
      [waiting, at] = [done ? [] : value, 0];
      return done === true;
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      throw damagedExport(file, `it was cut off, or is no export of x (${problem})`, error);
    }
  }
  return {
    isAtEnd,
    async next() {
      if (await isAtEnd()) throw damagedExport(file, "its end is missing");
      if (last !== undefined) hash.update(last).update("\n");
      last = waiting[at] ?? "";
      at += 1;
      return last;
    },
    sha256: () => hash.digest("hex"),
    close() {
      input.destroy();
      plain.destroy();
    },
  };
}
