import { join } from "node:path";

import { loadPeer } from "./load-peer.ts";
import type { Side } from "./side.ts";
import { createTimers } from "./timers.ts";

interface Worker {
  scheduled(event: { readonly cron: string; readonly scheduledTime: Date }): Promise<{ readonly outcome: string }>;
}
interface Miniflare {
  readonly ready: Promise<URL>;
  getWorker(): Promise<Worker>;
  dispose(): Promise<void>;
}

/** A durable object for each source, with SQLite; the name of the source stands where the cron expression would. */
const script = `
import { DurableObject } from "cloudflare:workers";
export class Source extends DurableObject {
  constructor(state, env) {
    super(state, env);
    this.sql = state.storage.sql;
    this.sql.exec(\`CREATE TABLE IF NOT EXISTS kv (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, at INTEGER, payload TEXT)\`);
  }
  handle(event) {
    this.ctx.storage.transactionSync(() => {
      const [row] = this.sql.exec("SELECT value FROM kv WHERE key = 'n'").toArray();
      const n = Number(JSON.parse(row?.value ?? "0")) + 1;
      this.sql.exec("INSERT OR REPLACE INTO kv VALUES ('n', ?)", JSON.stringify(n));
      if (this.sql.exec("INSERT OR IGNORE INTO seen VALUES (?)", String(n)).rowsWritten === 0) return;
      const payload = JSON.stringify({ n, ...event, summary: "event " + n });
      this.sql.exec("INSERT INTO event (at, payload) VALUES (?, ?)", Date.now(), payload);
    });
  }
}
const source = (env, name) => env.SOURCE.get(env.SOURCE.idFromName(name));
export default {
  async fetch(request, env) {
    await source(env, "s").handle({ body: await request.json() });
    return new Response();
  },
  async scheduled({ cron, scheduledTime }, env) {
    await source(env, cron).handle({ timestamp: Math.floor(scheduledTime / 1_000) });
  },
};`;

/** Miniflare, which runs workers on a machine of one's own; it fires no schedules, so timers of this process do. */
export async function openMiniflare(folder: string): Promise<Side> {
  const miniflare = (await loadPeer("miniflare")) as { Miniflare: new (options: object) => Miniflare };
  const server = new miniflare.Miniflare({
    modules: true,
    script,
    compatibilityDate: "2026-01-01",
    durableObjects: { SOURCE: { className: "Source", useSQLite: true } },
    durableObjectsPersist: join(folder, "objects"),
    host: "127.0.0.1",
  });
  const url = await server.ready;
  const worker = await server.getWorker();
  const timers = createTimers(async (source, { timestamp }) => {
    const { outcome } = await worker.scheduled({ cron: source, scheduledTime: new Date(timestamp * 1_000) });
    if (outcome !== "ok") throw new Error(`A tick ended with ${outcome}`);
  });

  return {
    addTimers: timers.addTimers,
    addEndpoint: async () => undefined,
    async request(body) {
      const { status } = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
      if (status !== 200) throw new Error(`A request was answered with ${status}`);
    },
    // Nobody counts them.
    transactions: async () => null,
    async close() {
      await timers.stop();
      await server.dispose();
    },
  };
}
