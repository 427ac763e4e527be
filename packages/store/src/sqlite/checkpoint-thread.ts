import { parentPort, workerData } from "node:worker_threads";

import { DatabaseSync } from "./node-sqlite.ts";

/** What the thread starts with. */
export interface CheckpointData {
  readonly file: string;
}

/** Copy the log into the data file, which is answered with `copied`; or end the thread. */
export type CheckpointRequest = "copy" | "end";

/**
 * SQLite waits for the disk only at the end of a checkpoint during which nothing was written to the log. The first copies thousands of
 * pages and takes too long for that; the second copies a few, and waits; the third copies what was written meanwhile. What
 * remains for the writer is small.
 */
const rounds = 3;

function start(port: NonNullable<typeof parentPort>, { file }: CheckpointData): void {
  const database = new DatabaseSync(file);
  // FULL, as in the writer: the file is on the disk before the log starts over.
  database.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0");
  const copy = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  port.on("message", (request: CheckpointRequest) => {
    if (request === "end") {
      database.close();
      port.close();
      return;
    }
    try {
      for (let round = 0; round < rounds; round += 1) copy.get();
    } catch {
      // What is not copied stays in the log. A commit reports what is wrong with the disk.
    }
    port.postMessage("copied");
  });
}

if (parentPort) start(parentPort, workerData as CheckpointData);
