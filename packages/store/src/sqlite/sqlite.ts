import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { XError } from "@x/model";
import type { Slots } from "../cluster-contract.ts";
import type { Sealing, Store } from "../contract.ts";
import { makeFolder, sweepDataFile } from "./data-file.ts";
import { encodeChanges } from "./encode.ts";
import { storeError } from "../failure.ts";
import { startGroupCommit, type GroupCommit } from "../group-commit.ts";
import { asyncReads, type SyncReads } from "../reads.ts";
import { lockFolder } from "./lock.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { appReads } from "./read-apps.ts";
import { dataStoreReads } from "./read-data-stores.ts";
import { createQuery } from "./query.ts";
import { componentReads } from "./read-components.ts";
import { deliveryReads } from "./read-deliveries.ts";
import { countEvents, readEvents } from "./read-events.ts";
import { executionReads } from "./read-executions.ts";
import { listenerReads } from "./read-listeners.ts";
import { sourceReads } from "./read-sources.ts";
import { createSourceCounts, type SourceCounts } from "./source-counts.ts";
import { triggerReads } from "./read-triggers.ts";
import { userReads } from "./read-users.ts";
import { writeNumbers } from "./statements.ts";

export interface SqliteStoreOptions {
  /** Holds `x.db` and its lock; created if it does not exist. */
  readonly folder: string;
  /** Longest wait of a commit for another program that locks the file, in ms. Default: 5000. */
  readonly busyTimeoutMs?: number;
  /** Files up to this size have every page checked when they are opened. Default: 64 MiB. */
  readonly checkedBytes?: number;
  /** Maximum size in pages of 4 KiB; for tests of a full disk. */
  readonly maxPages?: number;
}

/** Short, because reads block the caller's thread. */
const readBusyTimeoutMs = 250;

/**
 * Opens the store of a folder, or creates it. Rejects with `store_locked` when another store uses the folder, and with
 * `store_corrupt`, `store_version` or `store_failed` when the file cannot be used.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const folder = resolve(options.folder);
  const file = join(folder, "x.db");
  try {
    if (!existsSync(folder)) makeFolder(folder);
  } catch (error) {
    throw storeError(folder, "create the data folder", error);
  }
  const unlock = lockFolder(folder);
  let writer: GroupCommit | undefined;
  try {
    writer = await startGroupCommit(file, {
      busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
      checkedBytes: options.checkedBytes ?? 64 * 1024 * 1024,
      maxPages: options.maxPages,
    });
    const counts = createSourceCounts();
    const reader = openReader(file, counts);
    return createStore(file, { writer, reader, counts }, unlock);
  } catch (error) {
    await writer?.close();
    unlock();
    throw storeError(file, "open the data file", error);
  }
}

/** The reading half of a store. */
interface Reader {
  readonly reads: SyncReads;
  close(): void;
}

/** Opens a second, read-only connection. It sees every commit that has resolved. */
function openReader(file: string, counts: SourceCounts): Reader {
  const database = new DatabaseSync(file, { readOnly: true });
  database.exec(`PRAGMA busy_timeout = ${readBusyTimeoutMs}`);
  const query = createQuery(database);
  return {
    reads: {
      ...userReads(query),
      ...appReads(query),
      ...dataStoreReads(query),
      ...componentReads(query),
      ...sourceReads(query, counts),
      ...triggerReads(query),
      events: (emitterId, stream, page) => readEvents(query, emitterId, stream, page),
      ...executionReads(query),
      eventCounts: (emitterId, stream, spans) => countEvents(query, emitterId, stream, spans),
      ...listenerReads(query),
      ...deliveryReads(query),
      sealing: () => query.record<Sealing>("SELECT record FROM sealing"),
    },
    close: () => database.close(),
  };
}

interface StoreParts {
  readonly writer: GroupCommit;
  readonly reader: Reader;
  readonly counts: SourceCounts;
}

function createStore(file: string, { writer, reader, counts }: StoreParts, unlock: () => void): Store {
  let closed: Promise<void> | undefined;
  const checkOpen = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const wrapError = <T>(action: string, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      throw storeError(file, action, error);
    }
  };
  const reads = asyncReads(reader.reads, (what, read) => {
    checkOpen();
    return wrapError(`read ${what}`, read);
  });
  // After a start that failed, the marks of the previous process stay.
  let used = false;
  const countCrashes = async (write: number, ofSource: number, slots?: Slots, ids: string[] = []): Promise<void> => {
    checkOpen();
    used = true;
    const chosen = slots ? [...new Set(ids)].filter((id) => slots.has(id)) : undefined;
    await writer.submit(chosen ? chosen.flatMap((id) => [ofSource, id]) : [write]);
  };
  const close = async (): Promise<void> => {
    // If this fails, on a full disk, the next start counts running work as crashed: nothing is lost.
    if (used) await writer.submit([writeNumbers.settleTriggers, writeNumbers.settleTransitions]).catch(() => undefined);
    reader.close();
    await writer.close();
    unlock();
  };

  return {
    ...reads,
    failed: writer.failed,
    commitStats: writer.stats,
    async commit(changes) {
      checkOpen();
      used = true;
      if (changes.length === 0) return;
      const work = encodeChanges(changes);
      const ended = counts.begin(changes);
      await writer.submit(work).finally(ended);
    },
    async recoverTriggers(slots) {
      const ids = slots && (await reads.triggers()).map(({ sourceId }) => sourceId);
      await countCrashes(writeNumbers.countCrashes, writeNumbers.countCrashesOf, slots, ids);
      return reads.triggers(undefined, slots);
    },
    async recoverTransitions(slots) {
      const ids = slots && (await reads.transitions()).map(({ source }) => source.id);
      const { countTransitionCrashes, countTransitionCrashesOf } = writeNumbers;
      await countCrashes(countTransitionCrashes, countTransitionCrashesOf, slots, ids);
      return (await reads.transitions()).filter(({ source }) => slots?.has(source.id) !== false);
    },
    async sweep() {
      checkOpen();
      wrapError("sweep the data file", () => sweepDataFile(file));
    },
    close: () => (closed ??= close()),
  };
}
