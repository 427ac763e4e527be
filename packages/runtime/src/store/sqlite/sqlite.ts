import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { XError } from "../../model/errors.ts";
import type { Store } from "../contract.ts";
import { sweepDataFile, syncFolder } from "./data-file.ts";
import { encodeChanges } from "./encode.ts";
import { storeError } from "../failure.ts";
import { startGroupCommit, type GroupCommit } from "../group-commit.ts";
import { lockFolder } from "./lock.ts";
import { openReader, type Reader } from "./reader.ts";
import { writeNumbers } from "./statements.ts";

export interface SqliteStoreOptions {
  /** Holds `x.db` and its lock; made when it is not there. */
  readonly folder: string;
  /** How long a commit waits for another program that has the file locked; default 5000. */
  readonly busyTimeoutMs?: number;
  /** Every page of files up to this size is checked at open; default 64 MiB. */
  readonly checkedBytes?: number;
  /** The file may not grow beyond this many pages of 4 KiB; for tests of a full disk. */
  readonly maxPages?: number;
}

/** Reads run on the caller's thread, which must not stand still for long. */
const readBusyTimeoutMs = 250;

function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) syncFolder(dirname(first));
}

/**
 * Opens the store of a folder, or makes it. Rejects with `store_locked` when another store has the folder,
 * `store_corrupt`, `store_version` or `store_failed` when the file is not fit for use.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const folder = resolve(options.folder);
  const file = join(folder, "x.db");
  try {
    makeFolder(folder);
  } catch (error) {
    throw storeError(folder, "make the data folder", error);
  }
  const unlock = lockFolder(folder);
  let writer: GroupCommit | undefined;
  try {
    writer = await startGroupCommit(file, {
      busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
      checkedBytes: options.checkedBytes ?? 64 * 1024 * 1024,
      maxPages: options.maxPages,
    });
    const reader = openReader(file, readBusyTimeoutMs);
    return createStore(file, writer, reader, unlock);
  } catch (error) {
    await writer?.close();
    unlock();
    throw storeError(file, "open the data file", error);
  }
}

function createStore(file: string, writer: GroupCommit, reader: Reader, unlock: () => void): Store {
  let closed: Promise<void> | undefined;
  const ready = (): void => {
    if (closed) throw new XError("closed", []);
  };
  const read = async <T>(what: string, from: (tables: Reader) => T): Promise<T> => {
    ready();
    try {
      return from(reader);
    } catch (error) {
      throw storeError(file, `read ${what}`, error);
    }
  };
  // A start that failed leaves what a former process did as it is.
  let used = false;
  const close = async (): Promise<void> => {
    // Where that cannot be written, on a full disk, the next start takes what was under way for a crash: nothing is lost.
    if (used) await writer.submit([writeNumbers.settleTriggers, writeNumbers.settleTransitions]).catch(() => undefined);
    reader.close();
    await writer.close();
    unlock();
  };

  return {
    failed: writer.failed,
    async commit(changes) {
      ready();
      used = true;
      if (changes.length > 0) await writer.submit(encodeChanges(changes));
    },

    user: (id) => read("a user", (tables) => tables.user(id)),
    users: () => read("users", (tables) => tables.users()),

    component: (id) => read("a component", (tables) => tables.component(id)),
    componentByKey: (userId, key) => read("a component", (tables) => tables.componentByKey(userId, key)),
    componentByContent: (userId, hash) => read("a component", (tables) => tables.componentByContent(userId, hash)),

    text: (hash) => read("the text of a component", (tables) => tables.text(hash)),
    lockKeys: (ids) => read("the packages of components", (tables) => tables.lockKeys(ids)),
    registryFiles: (registry) => read("the files of a registry", (tables) => tables.registryFiles(registry)),

    source: (id) => read("a source", (tables) => tables.source(id)),
    sourceByEndpoint: (key) => read("a source", (tables) => tables.sourceByEndpoint(key)),
    sources: (userId, page, only) => read("sources", (tables) => tables.sources(userId, page, only)),
    slugs: (userId, slug) => read("slugs", (tables) => tables.slugs(userId, slug)),

    sourceState: (id) => read("the state of a source", (tables) => tables.sourceState(id)),
    db: (sourceId) => read("the db of a source", (tables) => tables.db(sourceId)),
    dbTimes: (sourceId) => read("the db of a source", (tables) => tables.dbTimes(sourceId)),

    events: (emitterId, stream, query) => read("events", (tables) => tables.events(emitterId, stream, query)),
    timers: () => read("timers", (tables) => tables.timers()),
    triggers: (sourceId) => read("triggers", (tables) => tables.triggers(sourceId)),
    trigger: (id) => read("a trigger", (tables) => tables.trigger(id)),
    async recoverTriggers() {
      ready();
      used = true;
      await writer.submit([writeNumbers.countCrashes]);
      return read("triggers", (tables) => tables.triggers());
    },
    transitions: () => read("changes of sources", (tables) => tables.transitions()),
    async recoverTransitions() {
      ready();
      used = true;
      await writer.submit([writeNumbers.countTransitionCrashes]);
      return read("changes of sources", (tables) => tables.transitions());
    },
    usage: (userId, day, lastDay) => read("usage", (tables) => tables.usage(userId, day, lastDay)),

    subscriptions: (userId) => read("subscriptions", (tables) => tables.subscriptions(userId)),
    autoSubscriptions: (userId) => read("auto-subscriptions", (tables) => tables.autoSubscriptions(userId)),
    webhook: (id) => read("a webhook", (tables) => tables.webhook(id)),
    webhooks: (userId, page) => read("webhooks", (tables) => tables.webhooks(userId, page)),
    allWebhooks: () => read("webhooks", (tables) => tables.allWebhooks()),
    delivery: (id) => read("a delivery", (tables) => tables.delivery(id)),
    deliveries: (webhookId, page) => read("deliveries", (tables) => tables.deliveries(webhookId, page)),
    dueDelivery: (webhookId, emitterId, now) =>
      read("a delivery", (tables) => tables.dueDelivery(webhookId, emitterId, now)),
    deliveryLanes: (webhookId, emitterId) => read("deliveries", (tables) => tables.deliveryLanes(webhookId, emitterId)),

    account: (id) => read("an account", (tables) => tables.account(id)),
    accounts: (userId, page, app) => read("accounts", (tables) => tables.accounts(userId, page, app)),
    sealing: () => read("how secrets are kept", (tables) => tables.sealing()),
    async sweep() {
      ready();
      try {
        sweepDataFile(file);
      } catch (error) {
        throw storeError(file, "sweep the data file", error);
      }
    },

    close: () => (closed ??= close()),
  };
}
