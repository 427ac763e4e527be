import { setTimeout as pause } from "node:timers/promises";

import type { Side } from "./side.ts";

/** Handles what is due; resolves when it is committed. */
type Handle = (source: string, event: { readonly timestamp: number }, nextAt: number) => Promise<void> | void;

/** `addTimers` of a script without a framework. `stop` ends the timers, and resolves when the last ticks are handled. */
export function createTimers(handle: Handle): Pick<Side, "addTimers"> & { stop(): Promise<void> } {
  const timers: NodeJS.Timeout[] = [];
  let isStopped = false;
  let running = 0;
  const idle = Promise.withResolvers<void>();
  return {
    async addTimers(count, intervalMs, done) {
      const begun = performance.now();
      for (let index = 0; index < count; index += 1) {
        let due = Date.now() + intervalMs;
        const tick = async (): Promise<void> => {
          const at = due;
          running += 1;
          await handle(`s${index}`, { timestamp: Math.floor(at / 1_000) }, at + intervalMs);
          running -= 1;
          done(Date.now() - at);
          if (isStopped) return running === 0 ? idle.resolve() : undefined;
          due += intervalMs;
          timers[index] = setTimeout(() => void tick(), Math.max(0, due - Date.now()));
        };
        timers[index] = setTimeout(() => void tick(), intervalMs);
        await pause(Math.max(0, begun + ((index + 1) * intervalMs) / count - performance.now()));
      }
    },
    async stop() {
      isStopped = true;
      for (const timer of timers) clearTimeout(timer);
      if (running > 0) await idle.promise;
    },
  };
}
