import { type Engine, logRecord, type NodePlan, payload, sourceName } from "./engine.ts";
import { createTables, loadPeer, openPeerPool, type PeerClient, writesOf } from "./peer-writes.ts";

interface Job {
  readonly id: string;
  readonly data: { readonly source: string; readonly n: number };
}

/** What this file uses of pg-boss. */
interface PgBoss {
  start(): Promise<unknown>;
  stop(options: object): Promise<void>;
  createQueue(name: string, options: object): Promise<void>;
  insert(name: string, jobs: readonly object[]): Promise<unknown>;
  fetch(name: string, options: object): Promise<readonly Job[]>;
  complete(name: string, id: string, data: null, options: { readonly db: object }): Promise<unknown>;
  on(name: "error", listener: (error: Error) => void): unknown;
}

const queue = "jobs";
const loops = 16;
const perInsert = 500;
const idleMs = 20;

/** pg-boss as it is asked for order: one job at a time of each key, and its end in the transaction of its writes. */
export async function openPgBossEngine({ place, schema, sources, jobs }: NodePlan): Promise<Engine> {
  const { PgBoss: Boss } = loadPeer("pg-boss") as { PgBoss: new (options: object) => PgBoss };
  const boss = new Boss({ connectionString: place, schema, max: loops });
  boss.on("error", (error) => process.stderr.write(`${String(error)}\n`));
  await boss.start();
  const pool = openPeerPool(place, loops);
  const writes = writesOf(`${schema}_data`);

  async function handle(client: PeerClient, { id, data }: Job): Promise<void> {
    await client.query("BEGIN");
    await client.query(writes, [data.source, data.n, id, payload, logRecord]);
    await boss.complete(queue, id, null, {
      db: { executeSql: (text: string, values: unknown[]) => client.query(text, values) },
    });
    await client.query("COMMIT");
  }

  async function loop(until: number): Promise<number> {
    const client = await pool.connect();
    let handled = 0;
    while (performance.now() < until) {
      const [job] = await boss.fetch(queue, { batchSize: 1 });
      if (job) {
        await handle(client, job);
        handled += 1;
      } else await new Promise((resolve) => setTimeout(resolve, idleMs));
    }
    client.release();
    return handled;
  }

  return {
    async enqueue() {
      await createTables(pool, `${schema}_data`);
      await boss.createQueue(queue, { policy: "key_strict_fifo" });
      for (let from = 0; from < jobs; from += perInsert) {
        const some = Array.from({ length: Math.min(perInsert, jobs - from) }, (_, index) => {
          const source = sourceName((from + index) % sources);
          return { data: { source, n: from + index, payload }, singletonKey: source };
        });
        await boss.insert(queue, some);
      }
    },
    join: async () => undefined,
    async run(until) {
      const handled = await Promise.all(Array.from({ length: loops }, () => loop(until)));
      return handled.reduce((sum, each) => sum + each, 0);
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
