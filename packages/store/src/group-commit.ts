import { Worker } from "node:worker_threads";

import { type CommitStats, createCommitCounts } from "./commit-counts.ts";
import { monotonicMs, type XError } from "@x/model";
import { builtFile } from "./sqlite/built-file.ts";
import type { DataFileOptions } from "./sqlite/data-file.ts";
import { type Failure, failureError } from "./failure.ts";
import type { Work } from "./sqlite/statements.ts";
import type { WriterData, WriterReady, WriterReply, WriterRequest } from "./sqlite/writer.ts";

/** Sends commits to the writer thread. Commits that arrive during a batch form the next batch. */
export interface GroupCommit {
  /** Resolves when the writer ended for any reason but `close`. */
  readonly failed: Promise<XError>;
  /** Resolves when the work is durable; rejects when none of it was applied. */
  submit(work: Work): Promise<void>;
  stats(): CommitStats;
  /** Resolves when all submitted work is done and the writer has closed the file. */
  close(): Promise<void>;
}

interface Waiting {
  readonly work: Work;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Limits the duration of one transaction. */
const maxBatch = 512;

/** The bundle of `writer.ts`. */
const writerUrl = builtFile("threads/store-writer.mjs");

function settleBatch(batch: readonly Waiting[], failures: ReadonlyMap<number, Failure>): void {
  for (const [index, item] of batch.entries()) {
    const failure = failures.get(index);
    if (failure) item.reject(failureError(failure));
    else item.resolve();
  }
}

const threadEnded = (file: string, problem: string): XError =>
  failureError({ code: "store_failed", args: ["commit", `the writer thread of ${file} ended: ${problem}`] });

/** Starts the writer thread on a data file. Rejects when the file cannot be used. */
export async function startGroupCommit(file: string, options: DataFileOptions): Promise<GroupCommit> {
  // Without the flags of this process: with some, such as --input-type, no thread starts.
  const workerData: WriterData = { file, options };
  const worker = new Worker(writerUrl, { workerData, name: "store writer", execArgv: [] });
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));

  const failed = Promise.withResolvers<XError>();
  let dead: XError | undefined;
  let waiting: Waiting[] = [];
  let underWay: Waiting[] = [];
  const counts = createCommitCounts();
  let sentAt = 0;
  let flushPlanned = false;
  let closing = false;
  let drained: (() => void) | undefined;

  const send = (request: WriterRequest): void => worker.postMessage(request);

  const flush = (): void => {
    flushPlanned = false;
    if (dead || underWay.length > 0) return;
    if (waiting.length === 0) {
      // An idle store must not keep the process alive.
      if (!closing) worker.unref();
      drained?.();
      return;
    }
    underWay = waiting.splice(0, maxBatch);
    worker.ref();
    sentAt = monotonicMs();
    send(underWay.map((item) => item.work));
  };
  // Deferred, so that code that continues after this batch can add to the next one.
  const planFlush = (): void => {
    if (flushPlanned) return;
    flushPlanned = true;
    setImmediate(flush);
  };
  const settle = (reply: WriterReply): void => {
    if (reply !== null && "lost" in reply) return die(failureError(reply.lost));
    const batch = underWay;
    underWay = [];
    const failures = new Map(reply);
    counts.add(batch.length, failures.size, monotonicMs() - sentAt);
    settleBatch(batch, failures);
    planFlush();
  };
  const die = (error: XError): void => {
    dead ??= error;
    if (!closing) failed.resolve(dead);
    for (const item of [...underWay, ...waiting]) item.reject(dead);
    underWay = [];
    waiting = [];
    drained?.();
  };

  await new Promise<void>((resolve, reject) => {
    worker.once("message", (ready: WriterReady) => {
      if (ready.failure) reject(failureError(ready.failure));
      else resolve();
    });
    worker.on("error", (error) => {
      die(threadEnded(file, error instanceof Error ? error.message : String(error)));
      reject(dead);
    });
    worker.on("exit", (code) => {
      die(threadEnded(file, `exit code ${code}`));
      reject(dead);
    });
  });
  worker.on("message", settle);
  worker.unref();

  return {
    failed: failed.promise,
    stats: counts.read,
    submit(work) {
      if (dead) return Promise.reject(dead);
      return new Promise<void>((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        if (underWay.length === 0) planFlush();
      });
    },
    async close() {
      closing = true;
      // Waits for the end of the thread, also when it has failed already.
      worker.ref();
      if (!dead) {
        await new Promise<void>((resolve) => {
          drained = resolve;
          if (underWay.length === 0) planFlush();
        });
      }
      if (!dead) send(null);
      await ended;
    },
  };
}
