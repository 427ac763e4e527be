import { type Engine, logRecord, type NodePlan, payload, sourceName } from "./engine.ts";
import { createTables, loadPeer, openPeerPool, type PeerClient, writesOf } from "./peer-writes.ts";

interface Helpers {
  readonly job: { readonly id: string };
  withPgClient<T>(use: (client: PeerClient) => Promise<T>): Promise<T>;
}

/** What this file uses of graphile-worker. */
interface Graphile {
  run(options: object): Promise<{ stop(): Promise<void> }>;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJobs(jobs: readonly object[]): Promise<unknown>;
    release(): Promise<void>;
  }>;
  readonly Logger: new (factory: () => () => void) => unknown;
}

const concurrency = 16;
const perInsert = 500;

/** graphile-worker with one queue for each source; it ends a job in a statement of its own. */
export async function openGraphileEngine({ place, schema, sources, jobs }: NodePlan): Promise<Engine> {
  const { run, makeWorkerUtils, Logger } = loadPeer("graphile-worker") as Graphile;
  const pool = openPeerPool(place, concurrency + 2);
  const options = { pgPool: pool, schema, logger: new Logger(() => () => undefined) };
  const utils = await makeWorkerUtils(options);
  await utils.migrate();
  const writes = writesOf(`${schema}_data`);

  return {
    async enqueue() {
      await createTables(pool, `${schema}_data`);
      for (let from = 0; from < jobs; from += perInsert) {
        const some = Array.from({ length: Math.min(perInsert, jobs - from) }, (_, index) => {
          const source = sourceName((from + index) % sources);
          return { identifier: "job", payload: { source, n: from + index, payload }, queueName: source };
        });
        await utils.addJobs(some);
      }
    },
    join: async () => undefined,
    async run(until) {
      let handled = 0;
      const job = async ({ source, n }: { source: string; n: number }, helpers: Helpers): Promise<void> => {
        await helpers.withPgClient((client) => client.query(writes, [source, n, helpers.job.id, payload, logRecord]));
        handled += 1;
      };
      const runner = await run({
        ...options,
        concurrency,
        noHandleSignals: true,
        pollInterval: 100,
        taskList: { job },
      });
      await new Promise((resolve) => setTimeout(resolve, until - performance.now()));
      const counted = handled;
      await runner.stop();
      return counted;
    },
    async close() {
      await utils.release();
      await pool.end();
    },
  };
}
