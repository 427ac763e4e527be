import { XError } from "@x/runtime";
import { type CommitCounts, countWithin, createCommitCounts, monotonicMs } from "@x/runtime/store";

import { applyBatch, type Waiting } from "./batch.ts";
import { isFenced, storeError } from "./failure.ts";
import { createCurrentSession, type SessionParts } from "./current-session.ts";
import type { FullRowList } from "./row.ts";
import type { Session } from "./session.ts";

/** Sends commits to the server. Commits that arrive during a batch form the next batch. */
export interface GroupCommit extends Pick<CommitCounts, "read"> {
  /** Resolves when another service has taken the schema over. */
  readonly failed: Promise<XError>;
  /** Resolves when the rows are durable; rejects when none of them was applied. */
  submit(rows: FullRowList): Promise<void>;
  /** Ends all commits: another node has taken over. */
  fail(error: XError): void;
  /** Waits for what was submitted, and releases the lock. */
  close(): Promise<void>;
}

/** A batch whose connection was lost before the answer came. */
interface Unknown {
  readonly number: number;
  readonly items: readonly Waiting[];
}

/** Limits of one transaction. */
const maxBatch = 512;
const maxBatchBytes = 32 * 1024 * 1024;

const resolveAll = (items: readonly Waiting[]): void => {
  for (const { resolve } of items) resolve();
};
const rejectAll = (items: readonly Waiting[], error: XError): void => {
  for (const { reject } of items) reject(error);
};

/** Settles a batch when no session follows. */
function decide({ number, items }: Unknown, lastBatch: number | undefined, error: XError): void {
  if (lastBatch === number) resolveAll(items);
  else rejectAll(items, error);
}

/** The next transaction's commits. */
const takeBatch = (waiting: Waiting[]): Waiting[] =>
  waiting.splice(
    0,
    countWithin(waiting.slice(0, maxBatch), ({ rows }) => rows.bytes, maxBatchBytes),
  );

/** Returns a function whose calls until the next turn of the event loop are one. */
function onceLater(run: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      run();
    });
  };
}

export function startGroupCommit(parts: SessionParts): GroupCommit {
  const failed = Promise.withResolvers<XError>();
  const counts = createCommitCounts();
  const current = createCurrentSession(parts, { isBusy: () => isRunning, lost, resumed, ended });
  let waiting: Waiting[] = [];
  let unknown: Unknown | undefined;
  let batchNumber = parts.session.lastBatch;
  let isRunning = false;
  let closed: Promise<void> | undefined;
  const drained = Promise.withResolvers<void>();

  // Deferred, so that code that continues after this batch can add to the next one.
  const planFlush = onceLater(() => {
    const session = current.session();
    if (!isRunning && session) void flush(session);
  });

  async function flush(session: Session): Promise<void> {
    session.hold(waiting.length > 0);
    if (waiting.length === 0) return closed ? drained.resolve() : undefined;
    isRunning = true;
    await commit(session, takeBatch(waiting));
    isRunning = false;
    planFlush();
  }

  async function commit(session: Session, batch: readonly Waiting[]): Promise<void> {
    const number = (batchNumber += 1);
    const begun = monotonicMs();
    const outcome = await applyBatch(session, number, batch);
    if (outcome === "done") {
      counts.add(batch.length, 0, monotonicMs() - begun);
      resolveAll(batch);
    } else if ("lost" in outcome) {
      // No session follows that could tell what became of it.
      if (current.session() !== session) return rejectAll(batch, current.problem());
      unknown = { number, items: batch };
      current.lose(session, outcome.lost);
    } else if (isFenced(outcome.refused)) {
      waiting = [...batch, ...waiting];
      current.end(storeError("commit", outcome.refused));
    } else if (batch.length > 1) await commitEach(session, batch);
    else {
      counts.add(1, 1, monotonicMs() - begun);
      rejectAll(batch, storeError("commit", outcome.refused));
    }
  }

  /** Repeated alone, each commit succeeds or fails by itself. */
  async function commitEach(session: Session, batch: readonly Waiting[]): Promise<void> {
    for (const [index, item] of batch.entries()) {
      if (current.session() !== session) return rejectAll(batch.slice(index), current.problem());
      await commit(session, [item]);
    }
  }

  /** Commits that wait are rejected; the one on its way is decided by the next session. */
  function lost(problem: XError): void {
    rejectAll(waiting.splice(0), problem);
    if (closed) current.end(problem);
  }

  /** The batch on its way was committed if it is the last one that the server noted; else it is sent again. */
  function resumed(session: Session): void {
    const { number, items } = unknown ?? { number: -1, items: [] };
    unknown = undefined;
    if (session.lastBatch === number) resolveAll(items);
    else waiting = [...items, ...waiting];
    planFlush();
  }

  function ended(error: XError, lastBatch: number | undefined): void {
    if (unknown) decide(unknown, lastBatch, lastBatch === undefined ? error : current.problem());
    rejectAll(waiting.splice(0), current.problem());
    unknown = undefined;
    if (!closed) failed.resolve(error);
    drained.resolve();
  }

  async function close(): Promise<void> {
    // Without a connection, the outcome of what is on its way stays unknown.
    if (!current.session()) current.end(current.problem());
    else if (!isRunning) planFlush();
    await drained.promise;
    await current.leave();
    current.end(new XError("closed", []));
  }

  parts.session.hold(false);
  return {
    failed: failed.promise,
    read: counts.read,
    fail: current.end,
    submit(rows) {
      if (!current.session()) return Promise.reject(current.problem());
      return new Promise<void>((resolve, reject) => {
        waiting.push({ rows, resolve, reject });
        if (!isRunning) planFlush();
      });
    },
    close: () => (closed ??= Promise.resolve().then(close)),
  };
}
