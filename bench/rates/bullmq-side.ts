import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { endWithProcess } from "../../test/cluster/end-with-process.ts";
import { freePort } from "../../test/free-port.ts";
import { loadPeer } from "./load-peer.ts";
import type { Side } from "./side.ts";

interface Transaction {
  set(key: string, value: string): this;
  rpush(key: string, value: string): this;
  exec(): Promise<unknown>;
}
interface Redis {
  get(key: string): Promise<string | null>;
  sadd(key: string, value: string): Promise<number>;
  multi(): Transaction;
  disconnect(): void;
}
interface Job {
  readonly id: string;
  readonly data: { readonly source: string; readonly event: object };
}
interface Queue {
  add(name: string, data: Job["data"], options: object): Promise<Job>;
  upsertJobScheduler(id: string, every: object, template: object): Promise<unknown>;
  close(): Promise<void>;
}
interface Worker {
  on(event: "completed", listener: (job: Job) => void): void;
  close(): Promise<void>;
}
type Made<Type> = new (name: string, ...rest: readonly unknown[]) => Type;

/** A server of its own whose log is flushed after every command. */
async function startRedis(folder: string) {
  const port = await freePort();
  const settings = `--port ${port} --bind 127.0.0.1 --dir ${folder} --appendonly yes --appendfsync always`.split(" ");
  const server = spawn("redis-server", [...settings, "--save", ""], { stdio: ["ignore", "pipe", "inherit"] });
  endWithProcess(server, "SIGKILL");
  for await (const line of createInterface({ input: server.stdout }))
    if (line.includes("Ready to accept connections")) break;
  server.stdout.resume();
  return { port, stop: () => (server.kill(), once(server, "exit")) };
}

/** A worker of BullMQ on Redis: a queue with jobs and job schedulers, values and events in Redis too. */
export async function openBullMq(folder: string): Promise<Side> {
  const redis = await startRedis(folder);
  const bullmq = (await loadPeer("bullmq")) as { Queue: Made<Queue>; Worker: Made<Worker> };
  const connection = { host: "127.0.0.1", port: redis.port, maxRetriesPerRequest: null };
  const { Redis } = (await loadPeer("ioredis")) as { Redis: new (options: object) => Redis };
  const client = new Redis(connection);
  const queue = new bullmq.Queue("events", { connection });
  const waiting = new Map<string, () => void>();
  let ticked: (lateMs: number) => void = () => undefined;

  async function handle({ data: { source, event } }: Job): Promise<void> {
    const n = Number((await client.get(`${source} n`)) ?? 0) + 1;
    const transaction = client.multi().set(`${source} n`, String(n));
    if ((await client.sadd(`${source} seen`, String(n))) > 0)
      transaction.rpush(`${source} events`, JSON.stringify({ n, ...event, summary: `event ${n}`, at: Date.now() }));
    await transaction.exec();
  }

  const worker = new bullmq.Worker("events", handle, { connection, concurrency: 32 });
  worker.on("completed", (job) => {
    const request = waiting.get(job.id);
    waiting.delete(job.id);
    if (request) request();
    // `repeat:<scheduler>:<when it is due>`
    else ticked(Date.now() - Number(job.id.split(":").at(-1)));
  });
  const kept = { removeOnComplete: 100, removeOnFail: 100 };
  let requests = 0;

  return {
    async addTimers(count, intervalMs, done) {
      ticked = done;
      const begun = performance.now();
      for (let index = 0; index < count; index += 1) {
        const template = { name: "tick", data: { source: `s${index}`, event: {} }, opts: kept };
        await queue.upsertJobScheduler(`s${index}`, { every: intervalMs, startDate: Date.now() }, template);
        await pause(Math.max(0, begun + ((index + 1) * intervalMs) / count - performance.now()));
      }
    },
    addEndpoint: async () => undefined,
    async request(body) {
      const jobId = `request-${(requests += 1)}`;
      const done = new Promise<void>((resolve) => waiting.set(jobId, resolve));
      await queue.add("request", { source: "s", event: { body: JSON.parse(body) as object } }, { ...kept, jobId });
      await done;
    },
    // Redis does not count them.
    transactions: async () => null,
    async close() {
      await worker.close();
      await queue.close();
      client.disconnect();
      await redis.stop();
    },
  };
}
