import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError, checkOptions, rule, type Rules, version } from "@x/model";
import { openFolderRows } from "../sqlite/row-source.ts";
import { movedTables, type RowSource } from "./moved-tables.ts";
import { type ExportedTables, writeExport } from "./write-export.ts";

export interface DataExport {
  /** The file to create. */
  readonly file: string;
  /** A data folder. */
  readonly data?: string | undefined;
  /** Instead of `data`: opens a store, such as `openPostgresRows` of `@x/postgres`. */
  readonly rows?: (() => Promise<RowSource>) | undefined;
}

/** An export that was made. */
export interface MadeExport {
  readonly rows: number;
  readonly bytes: number;
  /** True when a service was using the data: what it does from now on is not in the export. */
  readonly inUse: boolean;
}

const exportRules: Rules<DataExport> = {
  file: rule.text("the path of a new file"),
  data: rule.text("the path of a folder"),
  rows: rule.fn,
};

async function openRows({ data, rows }: DataExport): Promise<RowSource> {
  if (rows && data === undefined) return rows();
  if (rows || data === undefined)
    throw new XError("invalid_options", ["data", "given, or rows instead", rows ? "both" : "neither"]);
  const folder = resolve(data);
  if (!existsSync(join(folder, "x.db")))
    throw new XError("invalid_options", ["data", "a folder with the file x.db", data]);
  return openFolderRows(folder);
}

async function* tablesOf(source: RowSource): ExportedTables {
  for (const table of movedTables) yield { table, batches: source.batches(table) };
}

/**
 * Writes one state of a store into a file that `importData` reads: all users, and everything else but caches. Secrets stay
 * encrypted with the key of the store. Rejects with `invalid_options` when the file exists, and as a start of a service does.
 */
export async function exportData(options: DataExport): Promise<MadeExport> {
  checkOptions(options, exportRules);
  const file = resolve(options.file);
  if (existsSync(file)) throw new XError("invalid_options", ["file", "a file that does not exist", options.file]);
  const source = await openRows(options);
  try {
    const { sealing } = source;
    if (!sealing) {
      const expected = "data with encrypted secrets, which a first start of x serve makes of it";
      throw new XError("invalid_options", ["data", expected, "secrets in plain text"]);
    }
    const made = await writeExport(file, { release: version, sealing }, tablesOf(source));
    return { ...made, inUse: source.isInUse };
  } finally {
    await source.close();
  }
}
