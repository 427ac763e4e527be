import { Worker } from "node:worker_threads";

import { createSandbox } from "@x/sandbox";

import type { PlainWrite } from "./plain-writer.ts";
import type { Side } from "./side.ts";
import { createTimers } from "./timers.ts";

const code = `module.exports = ({ n, event }) => ({ n: n + 1, emitted: { n: n + 1, ...event, summary: "event " + (n + 1) } });`;

/**
 * The plain script behind the same walls as x: its code in a sandbox that has a thread, its file in another thread. Nothing else of x:
 * the least that such walls take.
 */
export async function openWalls(folder: string): Promise<Side> {
  const sandbox = await createSandbox();
  const writer = new Worker(new URL("plain-writer.ts", import.meta.url), { workerData: folder });
  const values = new Map<string, number>();
  const waiting: (() => void)[] = [];
  let transactions = 0;
  writer.on("message", (count: number) => {
    transactions = count;
    waiting.shift()?.();
  });

  async function handle(source: string, event: object, nextAt?: number): Promise<void> {
    const input = { n: values.get(source) ?? 0, event: event as Record<string, string> };
    const { status, value, error } = await sandbox.run(code, input);
    if (status !== "ok") throw new Error(error?.message ?? status);
    const { n, emitted } = value as { n: number; emitted: object };
    values.set(source, n);
    writer.postMessage({ source, n, emitted, nextAt } satisfies PlainWrite);
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  const timers = createTimers(handle);
  return {
    addTimers: timers.addTimers,
    addEndpoint: async () => undefined,
    request: (body) => handle("s", { body: JSON.parse(body) as object }),
    transactions: async () => transactions,
    async close() {
      await timers.stop();
      await Promise.all([writer.terminate(), sandbox.close()]);
    },
  };
}
