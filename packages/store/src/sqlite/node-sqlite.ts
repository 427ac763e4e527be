import { createRequire } from "node:module";
import type * as NodeSqlite from "node:sqlite";

import { checkPlatform } from "@x/model";

type Sqlite = typeof NodeSqlite;

/** Loads Node's SQLite without the warning of Node 22 that it is experimental, which users of x cannot do anything about. */
function load(): Sqlite {
  // An old Node has no SQLite.
  checkPlatform();
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return createRequire(import.meta.url)("node:sqlite") as Sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const sqlite = load();

/** A connection to a database of SQLite. */
export const DatabaseSync: Sqlite["DatabaseSync"] = sqlite.DatabaseSync;
export type DatabaseSync = InstanceType<typeof DatabaseSync>;
/** Copies the pages of a database, also while it is used. */
export const copyPages: Sqlite["backup"] = sqlite.backup;
