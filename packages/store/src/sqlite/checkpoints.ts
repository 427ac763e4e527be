import type { StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

import { systemClock } from "@x/model";
import { builtFile } from "./built-file.ts";
import type { CheckpointData, CheckpointRequest } from "./checkpoint-thread.ts";
import { checkpointPages } from "./data-file.ts";
import type { DatabaseSync } from "./node-sqlite.ts";

/** Copies the log of commits into the data file, beside the commits. */
export interface Checkpoints {
  /** To be called after each batch, with the number of its commits. */
  committed(count: number): void;
  /** Resolves when the thread has ended. To be called before the writer's connection is closed. */
  close(): Promise<void>;
}

/** Commits between two looks at the size of the log: some hundred pages. */
const commitsPerLook = 16;
/** The thread takes some megabytes, which a service without load does not keep. */
const restMs = 60_000;

/** What SQLite says of its log, in pages. */
interface LogPages {
  readonly log: number;
  /** Those that are in the data file. */
  readonly checkpointed: number;
}

/** Undefined after an error of the disk, which the next commit reports. */
function askLog(statement: StatementSync): LogPages | undefined {
  try {
    return statement.get() as unknown as LogPages;
  } catch {
    return undefined;
  }
}

const threadUrl = builtFile("threads/store-checkpoints.mjs");

/**
 * A checkpoint of 16 MB takes 20 to 50 ms, and commits would wait for it in the writer. A thread of its own does most of it
 * beside them; the writer copies what it has written since, so that its next commit starts the log over. Where that fails,
 * the writer's connection makes a checkpoint when the log has grown to a multiple of the size.
 */
export function createCheckpoints(database: DatabaseSync, file: string): Checkpoints {
  const measure = database.prepare("PRAGMA wal_checkpoint(NOOP)");
  const finish = database.prepare("PRAGMA wal_checkpoint(PASSIVE)");
  let thread: Worker | undefined;
  let ended: Promise<void> = Promise.resolve();
  let isCopying = false;
  let hasFailed = false;
  let sinceLook = 0;
  let cancelRest: (() => void) | undefined;

  function copied(): void {
    isCopying = false;
    askLog(finish);
  }

  function start(): Worker {
    const workerData: CheckpointData = { file };
    const started = new Worker(threadUrl, { workerData, name: "store checkpoints", execArgv: [] });
    const before = ended;
    ended = new Promise<void>((resolve) => started.once("exit", () => resolve())).then(() => before);
    started.on("message", copied);
    started.on("error", () => {
      hasFailed = true;
      thread = undefined;
      database.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    });
    return started;
  }

  function copy(): void {
    isCopying = true;
    thread ??= start();
    thread.postMessage("copy" satisfies CheckpointRequest);
    cancelRest?.();
    cancelRest = systemClock.wakeAt(systemClock.now() + restMs, () => void end());
  }

  async function end(): Promise<void> {
    cancelRest?.();
    thread?.postMessage("end" satisfies CheckpointRequest);
    thread = undefined;
    await ended;
  }

  return {
    committed(count) {
      sinceLook += count;
      if (sinceLook < commitsPerLook || isCopying || hasFailed) return;
      sinceLook = 0;
      const pages = askLog(measure);
      if (pages && pages.log - pages.checkpointed >= checkpointPages) copy();
    },
    close: end,
  };
}
