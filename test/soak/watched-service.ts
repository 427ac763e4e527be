import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { startService, type ServiceChild } from "../faults/service.child.ts";

const watch = fileURLToPath(new URL("rest-watch.mjs", import.meta.url));

/** What a process holds at rest, in bytes, after a collection. */
export interface Rest {
  readonly at: number;
  /** Resident, before the collection. */
  readonly before: number;
  /** Resident. */
  readonly rss: number;
  /** Heap and external memory of the main thread. */
  readonly heap: number;
  /** What keeps the event loop going, in counts by kind. */
  readonly resources: Readonly<Record<string, number>>;
}

/** A service whose memory can be looked at. */
export interface WatchedService extends ServiceChild {
  /** Collects its garbage, and measures. */
  rest(): Promise<Rest>;
}

/** Starts a service on a data folder; `folder` takes the record of its measurements. */
export async function startWatchedService(
  folder: string,
  data: string,
  args: readonly string[],
): Promise<WatchedService> {
  const file = join(folder, "rests.jsonl");
  const service = await startService(data, {
    args,
    env: { NODE_OPTIONS: `--import ${watch}`, X_SOAK_WATCH: file },
  });
  const lines = (): readonly string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  return {
    ...service,
    async rest() {
      const known = lines().length;
      service.process.kill("SIGUSR2");
      while (service.process.exitCode === null && service.process.signalCode === null) {
        const line = lines()[known];
        if (line !== undefined) return { ...(JSON.parse(line) as Rest), at: performance.now() };
        await pause(20);
      }
      throw new Error(`The service ended: ${service.log().slice(-2_000)}`);
    },
  };
}
