/** A thread with the file of a script without a framework. Answers each write when it is committed. */
import { parentPort, workerData } from "node:worker_threads";

import { openPlainStore } from "./plain-store.ts";

/** What the sandbox returned for one event of a source. */
export interface PlainWrite {
  readonly source: string;
  readonly n: number;
  readonly emitted: object;
  readonly nextAt: number | undefined;
}

const store = openPlainStore(workerData as string);
parentPort?.on("message", ({ source, n, emitted, nextAt }: PlainWrite) => {
  store.apply({ source, handle: () => ({ n, emitted }), nextAt });
  parentPort?.postMessage(store.transactions);
});
