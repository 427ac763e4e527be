import { statSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

import { openDataFile, type DataFileOptions } from "./data-file.ts";
import { failureOf, isBusy, StoreFailure, type Failure } from "../failure.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { createPageCache } from "./page-cache.ts";
import { createTextPacker } from "./packed-text.ts";
import { countValues, repeatedWrites, writeNames, writeNumbers, writes, type Work } from "./statements.ts";

/** Data that the writer thread starts with. */
export interface WriterData {
  readonly file: string;
  readonly options: DataFileOptions;
}

/** The first message of the writer. `failure`: the file could not be opened. */
export interface WriterReady {
  readonly failure?: Failure;
}

/** Commits to apply in order. Null ends the writer. */
export type WriterRequest = readonly Work[] | null;

/** The failed commits by their index; null when none failed. `lost`: the file is gone, and the writer ends. */
export type WriterReply = readonly (readonly [index: number, failure: Failure])[] | { readonly lost: Failure } | null;

interface Write {
  readonly statement: StatementSync;
  readonly values: number;
  readonly isRepeated: boolean;
}

/** Identifies the file at a path; undefined when there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev} ${found.ino}`;
}

/**
 * Returns a check whether the open files were removed or replaced: then a commit ends with the process. The first check
 * must follow a write, so that the write-ahead log exists.
 */
function createLossCheck(file: string): () => string | undefined {
  const known = new Map<string, string | undefined>();
  return () => {
    for (const path of [file, `${file}-wal`]) {
      const now = identityOf(path);
      if (!known.has(path)) known.set(path, now);
      if (now === undefined) return `${path} was removed while it was in use`;
      if (now !== known.get(path)) return `${path} was replaced while it was in use`;
    }
    return undefined;
  };
}

function createExecutor(database: DatabaseSync, file: string): (batch: readonly Work[]) => WriterReply {
  const prepared: Write[] = writeNames.map((name) => ({
    statement: database.prepare(writes[name]),
    values: countValues(writes[name]),
    isRepeated: repeatedWrites.has(name),
  }));
  const findLoss = createLossCheck(file);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const commit = database.prepare("COMMIT");
  const texts = createTextPacker(database);

  const apply = (work: Work): void => {
    for (let position = 0; position < work.length;) {
      const number = work[position];
      const write = prepared[Number(number)];
      if (!write) throw new Error(`unknown write ${String(number)}`);
      const end = position + 1 + write.values;
      const values = work.slice(position + 1, end);
      position = end;
      if (number === writeNumbers.putText) {
        const [hash, family, text] = values as [string, string | null, string];
        const packed = texts.pack(hash, family, text);
        if (packed) write.statement.run(...packed);
        continue;
      }
      let { changes } = write.statement.run(...values);
      while (write.isRepeated && changes > 0) ({ changes } = write.statement.run(...values));
      if (changes === 0 && number === writeNumbers.moveHead) {
        throw new Error(
          `event id ${String(values[4])}-${String(values[5])} of ${String(values[0])} is not after its newest`,
        );
      }
    }
  };

  const attempt = (batch: readonly Work[]): unknown => {
    try {
      begin.run();
      for (const work of batch) apply(work);
      commit.run();
      return undefined;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      return error ?? new Error("unknown");
    }
  };

  return (batch) => {
    const error = attempt(batch);
    const loss = findLoss();
    if (loss !== undefined)
      return { lost: { code: "store_failed", args: ["commit", `${loss}; restore it, and start again`] } };
    if (error === undefined) return null;
    const failures: [number, Failure][] = [];
    for (const [index, work] of batch.entries()) {
      // Repeated alone, each commit succeeds or fails by itself. A locked file would make each of them wait again.
      const own = batch.length === 1 || isBusy(error) ? error : attempt([work]);
      if (own !== undefined) failures.push([index, failureOf(file, "commit", own)]);
    }
    return failures;
  };
}

function start(port: NonNullable<typeof parentPort>, { file, options }: WriterData): void {
  const send = (message: WriterReady | WriterReply): void => port.postMessage(message);
  let database: DatabaseSync;
  try {
    database = openDataFile(file, options);
  } catch (error) {
    const failure = error instanceof StoreFailure ? error.failure : failureOf(file, "open the data file", error);
    send({ failure });
    port.close();
    return;
  }
  const execute = createExecutor(database, file);
  const pages = createPageCache(database);
  const checkpoints = createCheckpoints(database, file);
  const end = async (): Promise<void> => {
    pages.stop();
    await checkpoints.close();
    database.close();
    port.close();
  };
  port.on("message", (request: WriterRequest) => {
    pages.used();
    const reply = request && execute(request);
    if (request) send(reply);
    if (!request || (reply && "lost" in reply)) void end();
    else checkpoints.committed(request.length);
  });
  send({});
}

if (parentPort) start(parentPort, workerData as WriterData);
