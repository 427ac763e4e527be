import { openPlainStore } from "./plain-store.ts";
import type { Side } from "./side.ts";
import { createTimers } from "./timers.ts";

/** What somebody writes without a framework: timers, and one transaction for each event. */
export async function openPlain(folder: string): Promise<Side> {
  const store = openPlainStore(folder);
  function handle(source: string, event: object, nextAt?: number): void {
    const handled = (n: number) => ({ n, emitted: { n, ...event, summary: `event ${n}` } });
    store.apply({ source, handle: (before) => handled(before + 1), nextAt });
  }
  const timers = createTimers(handle);
  return {
    addTimers: timers.addTimers,
    addEndpoint: async () => undefined,
    request: async (body) => handle("s", { body: JSON.parse(body) as object }),
    transactions: async () => store.transactions,
    async close() {
      await timers.stop();
      store.close();
    },
  };
}
