import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { loadPeer } from "./load-peer.ts";
import type { Side } from "./side.ts";

interface Store {
  get(key: string): Promise<unknown>;
  set(key: string, value: unknown): Promise<unknown>;
  setMany(entries: readonly { readonly key: string; readonly value: unknown }[]): Promise<unknown>;
  disconnect(): Promise<void>;
}
interface Task {
  stop(): unknown;
}

/** A script with the libraries that one would take: node-cron for ticks, Keyv on SQLite for values, known ids and events. */
export async function openKeyv(folder: string): Promise<Side> {
  const { Keyv } = (await loadPeer("keyv")) as { Keyv: new (options: object) => Store };
  const { KeyvSqlite } = (await loadPeer("@keyv/sqlite")) as { KeyvSqlite: new (options: object) => object };
  const cron = (await loadPeer("node-cron")) as {
    schedule(expression: string, run: (context: { readonly date: Date }) => Promise<void>): Task;
  };
  const store = new Keyv({ store: new KeyvSqlite({ uri: `sqlite://${join(folder, "keyv.db")}`, wal: true }) });
  const tasks: Task[] = [];

  async function handle(source: string, event: object): Promise<void> {
    const n = Number((await store.get(`${source} n`)) ?? 0) + 1;
    if ((await store.get(`${source} seen ${n}`)) !== undefined) return;
    await store.setMany([
      { key: `${source} n`, value: n },
      { key: `${source} seen ${n}`, value: true },
      { key: `${source} event ${n}`, value: { n, ...event, summary: `event ${n}`, at: Date.now() } },
    ]);
  }

  return {
    async addTimers(count, intervalMs, done) {
      const seconds = intervalMs / 1_000;
      if (60 % seconds !== 0) throw new Error(`A cron expression cannot tick every ${seconds} seconds.`);
      for (let index = 0; index < count; index += 1) {
        const offset = Math.floor((index * seconds) / count);
        const at = Array.from({ length: 60 / seconds }, (_, tick) => tick * seconds + offset).join(",");
        const tick = async ({ date }: { readonly date: Date }): Promise<void> => {
          const due = Math.floor(date.getTime() / 1_000) * 1_000;
          await handle(`s${index}`, { timestamp: due / 1_000 });
          done(Date.now() - due);
        };
        tasks.push(cron.schedule(`${at} * * * * *`, tick));
      }
      await pause(intervalMs);
    },
    addEndpoint: async () => undefined,
    request: (body) => handle("s", { body: JSON.parse(body) as object }),
    // Keyv does not count them.
    transactions: async () => null,
    async close() {
      for (const task of tasks) task.stop();
      await store.disconnect();
    },
  };
}
