import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";

import type { Side } from "./side.ts";

/** What somebody writes without a framework: timers, and one transaction for each event. */
export async function openPlain(folder: string): Promise<Side> {
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
  const timers: NodeJS.Timeout[] = [];
  let transactions = 0;

  function handle(source: string, event: object, nextAt?: number): void {
    begin.run();
    const n = Number(JSON.parse(String(get.get(source, "n")?.["value"] ?? "0"))) + 1;
    set.run(source, "n", JSON.stringify(n));
    if (note.run(source, String(n)).changes > 0)
      emit.run(source, Date.now(), JSON.stringify({ n, ...event, summary: `event ${n}` }));
    if (nextAt !== undefined) next.run(source, nextAt);
    commit.run();
    transactions += 1;
  }

  return {
    async addTimers(count, intervalMs, done) {
      const begun = performance.now();
      for (let index = 0; index < count; index += 1) {
        let due = Date.now() + intervalMs;
        const tick = (): void => {
          handle(`s${index}`, { timestamp: Math.floor(due / 1_000) }, due + intervalMs);
          done(Date.now() - due);
          due += intervalMs;
          timers[index] = setTimeout(tick, Math.max(0, due - Date.now()));
        };
        timers[index] = setTimeout(tick, intervalMs);
        await pause(Math.max(0, begun + ((index + 1) * intervalMs) / count - performance.now()));
      }
    },
    addEndpoint: async () => undefined,
    request: async (body) => handle("s", { body: JSON.parse(body) as object }),
    transactions: async () => transactions,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      database.close();
    },
  };
}
