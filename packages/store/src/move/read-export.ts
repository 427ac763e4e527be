import { XError } from "@x/model";
import {
  decodeValue,
  type EndLine,
  type ExportHeader,
  format,
  formatVersion,
  type HeaderLine,
  type TableLine,
} from "./export-format.ts";
import { damagedExport, type ExportLines, openExportLines } from "./export-lines.ts";
import { createBatch, type MovedRow, type MovedTable } from "./moved-tables.ts";

/** Rows of one table. */
export interface ExportBatch {
  readonly table: MovedTable;
  readonly rows: readonly MovedRow[];
}

/** An export that is read once, from the beginning. */
export interface ExportFile {
  readonly header: ExportHeader;
  /** Ends well if the file is whole; rejects with `store_corrupt` for one that was cut off or changed. */
  batches(): AsyncIterable<ExportBatch>;
  close(): void;
}

/** A table of which rows are read. */
interface OpenTable {
  readonly table: MovedTable;
  /** The number of values in a row of the file. */
  readonly width: number;
  decode(values: readonly unknown[]): MovedRow;
}

/** The rows are those of a file of this release or an older one: columns that it does not have are null. */
function openTable(file: string, known: readonly MovedTable[], { table: name, columns }: TableLine): OpenTable {
  const table = known.find((each) => each.name === name);
  const unknown = table ? columns.find((each) => !table.columns.some((own) => own.name === each)) : name;
  if (!table || unknown !== undefined) throw new XError("store_version", [file, "its own", `with ${String(unknown)}`]);
  const places = table.columns.map((column) => columns.indexOf(column.name));
  return {
    table,
    width: columns.length,
    decode: (values) => table.columns.map(({ type }, index) => decodeValue(type, values[places[index] ?? -1])),
  };
}

function parseLine(file: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw damagedExport(file, "a line of it is no JSON", error);
  }
}

async function checkEnd(file: string, lines: ExportLines, end: EndLine, count: number): Promise<void> {
  if (end.rows !== count || end.sha256 !== lines.sha256()) throw damagedExport(file, "its checksum is wrong");
  if (!(await lines.isAtEnd())) throw damagedExport(file, "something follows its end");
}

async function* readBatches(
  file: string,
  lines: ExportLines,
  known: readonly MovedTable[],
): AsyncGenerator<ExportBatch> {
  const batch = createBatch();
  let open: OpenTable | undefined;
  for (let count = 0; ;) {
    const value = parseLine(file, await lines.next());
    if (Array.isArray(value)) {
      if (value.length !== open?.width) throw damagedExport(file, "a row of it belongs to another table");
      batch.add(open.decode(value));
      count += 1;
      if (batch.isFull()) yield { table: open.table, rows: batch.take() };
      continue;
    }
    const rest = batch.take();
    if (open && rest.length > 0) yield { table: open.table, rows: rest };
    const mark = Object(value) as TableLine | EndLine;
    if ("end" in mark) return checkEnd(file, lines, mark, count);
    if (!("table" in mark) || !Array.isArray(mark.columns)) throw damagedExport(file, "a line of it has no meaning");
    open = openTable(file, known, mark);
  }
}

/** Opens an export. `known` are the tables of this release. Rejects with `store_corrupt` or `store_version`. */
export async function openExport(file: string, known: readonly MovedTable[]): Promise<ExportFile> {
  const lines = openExportLines(file);
  try {
    const first = parseLine(file, await lines.next());
    const { format: own, version, release = "", sealing } = Object(first) as Partial<HeaderLine>;
    if (own !== format) throw damagedExport(file, "it is no export of x");
    if (version !== formatVersion) throw new XError("store_version", [file, String(formatVersion), String(version)]);
    if (!sealing) throw damagedExport(file, "it does not say how its secrets are encrypted");
    return { header: { release, sealing }, batches: () => readBatches(file, lines, known), close: lines.close };
  } catch (error) {
    lines.close();
    throw error;
  }
}
