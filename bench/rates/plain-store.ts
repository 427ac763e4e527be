import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What one event changes: the value of a db, an id that is known from now on, an event, the next tick. */
export interface Change {
  readonly source: string;
  /** The new value, and what is emitted with it, from the old one. */
  readonly handle: (before: number) => { readonly n: number; readonly emitted: object };
  readonly nextAt: number | undefined;
}

export interface PlainStore {
  /** In one transaction. */
  apply(change: Change): void;
  /** Transactions so far. */
  readonly transactions: number;
  close(): void;
}

/** The file of a script without a framework. */
export function openPlainStore(folder: string): PlainStore {
  const database = new DatabaseSync(join(folder, "plain.db"));
  database.exec(`PRAGMA journal_mode = wal; PRAGMA synchronous = full;
    CREATE TABLE kv (source TEXT, key TEXT, value TEXT, PRIMARY KEY (source, key)) WITHOUT ROWID;
    CREATE TABLE seen (source TEXT, id TEXT, PRIMARY KEY (source, id)) WITHOUT ROWID;
    CREATE TABLE event (id INTEGER PRIMARY KEY, source TEXT, at INTEGER, payload TEXT);
    CREATE TABLE timer (source TEXT PRIMARY KEY, at INTEGER) WITHOUT ROWID;`);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const get = database.prepare("SELECT value FROM kv WHERE source = ? AND key = ?");
  const set = database.prepare("INSERT OR REPLACE INTO kv VALUES (?, ?, ?)");
  const note = database.prepare("INSERT OR IGNORE INTO seen VALUES (?, ?)");
  const emit = database.prepare("INSERT INTO event (source, at, payload) VALUES (?, ?, ?)");
  const next = database.prepare("INSERT OR REPLACE INTO timer VALUES (?, ?)");
  let transactions = 0;
  return {
    apply({ source, handle, nextAt }) {
      begin.run();
      const { n, emitted } = handle(Number(JSON.parse(String(get.get(source, "n")?.["value"] ?? "0"))));
      set.run(source, "n", JSON.stringify(n));
      if (note.run(source, String(n)).changes > 0) emit.run(source, Date.now(), JSON.stringify(emitted));
      if (nextAt !== undefined) next.run(source, nextAt);
      commit.run();
      transactions += 1;
    },
    get transactions() {
      return transactions;
    },
    close: () => database.close(),
  };
}
