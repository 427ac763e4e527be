import { createHash } from "node:crypto";
import { closeSync, createWriteStream, openSync, rmSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import zlib from "node:zlib";

import { storeError } from "../failure.ts";
import { settleFile } from "../sqlite/backup.ts";
import { encodeRow, type ExportHeader, type ExportLine, format, formatVersion } from "./export-format.ts";
import type { MovedRow, MovedTable } from "./moved-tables.ts";

/** The tables of a store with their rows, one after the other. */
export type ExportedTables = AsyncIterable<{
  readonly table: MovedTable;
  readonly batches: AsyncIterable<readonly MovedRow[]>;
}>;

const lineOf = (line: ExportLine): string => `${JSON.stringify(line)}\n`;

/**
 * Writes an export: lines of JSON, compressed with zstd. The file gets its name when it is complete and durable. Resolves with
 * the numbers of its rows and bytes.
 */
export async function writeExport(
  file: string,
  header: ExportHeader,
  tables: ExportedTables,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  let rows = 0;
  const hash = createHash("sha256");
  async function* lines(): AsyncGenerator<string> {
    yield lineOf({ format, version: formatVersion, ...header });
    for await (const { table, batches } of tables) {
      yield lineOf({ table: table.name, columns: table.columns.map(({ name }) => name) });
      for await (const batch of batches) {
        rows += batch.length;
        yield batch.map((row) => lineOf(encodeRow(row))).join("");
      }
    }
  }
  async function* withEnd(): AsyncGenerator<string> {
    for await (const text of lines()) {
      hash.update(text);
      yield text;
    }
    yield lineOf({ end: true, rows, sha256: hash.digest("hex") });
  }
  const draft = `${file}.part`;
  try {
    rmSync(draft, { force: true });
    closeSync(openSync(draft, "wx", 0o600));
    const compress = zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_checksumFlag]: 1 } });
    await pipeline(Readable.from(withEnd()), compress, createWriteStream(draft));
    settleFile(draft, file);
    return { rows, bytes: statSync(file).size };
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(file, "export", error);
  }
}
