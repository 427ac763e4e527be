import { dirname, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Registry, RegistryParts } from "./contract.ts";
import { createCatalog, findKey } from "./catalog.ts";
import { createEntries, type Entries } from "./entries.ts";
import { createContents } from "./fingerprint.ts";
import { createReadQueue, readKeyHints, type ReadQueue } from "./read-queue.ts";
import { readCandidate } from "./read-candidate.ts";
import { createListingWait, type ListingWait } from "./listing-wait.ts";
import { type Candidate, type Listing, scanFolder } from "./scan.ts";
import { createScanSchedule } from "./scan-schedule.ts";
import { createRetry } from "./retry.ts";
import { registryProblem } from "./problem.ts";
import { watchFolders } from "./watch.ts";

/** One file is bundled, one is evaluated, and one waits, so that the bundler is never idle. */
const concurrency = 3;

/** One scan of the folder. */
interface Scan {
  /** Resolves when it is known which candidates must be read. */
  readonly planned: PromiseWithResolvers<ReadQueue<Candidate> | undefined>;
  readonly listing: ListingWait;
}

/** Reads a folder in the background, and again after each change. */
export function createFolderRegistry(folder: string, parts: RegistryParts): Registry {
  const { renew, retryMs, logger, store } = parts;
  const root = resolve(folder);
  const catalog = createCatalog(logger, { folder: root });
  const entries = createEntries(root, catalog, store, logger);
  let current: Scan | undefined;
  let closed = false;

  const schedule = createScanSchedule(async () => {
    const now: Scan = { planned: Promise.withResolvers(), listing: createListingWait() };
    current = now;
    try {
      await scan(now);
    } catch (error) {
      if (!closed) logger.error("the registry could not be read", { error: registryProblem(error).message });
    } finally {
      now.listing.end();
      now.planned.resolve(undefined);
      current = undefined;
    }
  });
  const retry = createRetry(retryMs, schedule.start);
  const watch = watchFolders({
    root,
    changed: schedule.changed,
    failed(path, error) {
      const { code, message } = registryProblem(error);
      logger.warn("the registry cannot be watched; some changes take effect only after a restart", {
        folder: path,
        code,
        error: message,
      });
    },
  });

  async function scan(now: Scan): Promise<void> {
    renew();
    await entries.loaded();
    const enter = (path: string): void => {
      watch.add(path);
      now.listing.count();
    };
    const listing = await scanFolder(root, enter).catch((error: unknown) => registryProblem(error));
    if (closed) return;
    if ("code" in listing) {
      watch.keepOnly(new Set());
      entries.clear(listing);
      await entries.flush();
      return;
    }
    await readChanged(listing, now, { ...parts, root, entries, isClosed: () => closed });
    if (closed) return;
    entries.keep(listing);
    // All listed folders, and skipped ones with a file of a component.
    const folders = new Set([...listing.folders, ...entries.files().map((file) => dirname(file))]);
    for (const each of folders) watch.add(each);
    watch.keepOnly(folders);
    await entries.flush();
    retry.ended(entries.mayBeRetried());
  }

  /** The files that may have an unknown key. Waits for the whole listing when an earlier process served the key. */
  async function unreadFor(key: string): Promise<ReadQueue<Candidate> | "listing" | undefined> {
    if (!current || catalog.idOf(key) !== undefined) return undefined;
    const { planned, listing } = current;
    if (await entries.mayHaveServed(key)) return planned.promise;
    return Promise.race([planned.promise, listing.isLong.then(() => "listing" as const)]);
  }

  schedule.start();
  return {
    async find(key) {
      // A change that waits for its scan may bring this key.
      if (schedule.isWaiting && catalog.idOf(key) === undefined) schedule.start();
      return findKey(key, catalog, await unreadFor(key));
    },
    async items() {
      if (schedule.isWaiting) schedule.start();
      await schedule.idle();
      return catalog.items;
    },
    async close() {
      closed = true;
      schedule.close();
      retry.close();
      watch.close();
      // Does not wait for builds: they end with the bundler, which another runtime may share.
      await entries.flush();
    },
  };
}

interface ReadChangedParts extends RegistryParts {
  readonly root: string;
  readonly entries: Entries;
  isClosed(): boolean;
}

/** Reads the candidates of a listing that have changed, until the registry is closed. */
async function readChanged(listing: Listing, { planned, listing: wait }: Scan, parts: ReadChangedParts): Promise<void> {
  const { entries, seemingKey, isClosed } = parts;
  const contents = createContents(listing);
  const changed: Candidate[] = [];
  for (const candidate of listing.candidates) {
    if (isClosed()) return;
    if (!(await entries.isUnchanged(candidate, listing, contents))) changed.push(candidate);
  }
  const queue = createReadQueue(changed, await readKeyHints(changed, seemingKey));
  wait.end();
  planned.resolve(queue);
  const work = async (): Promise<void> => {
    for (let next = queue.next(); next; next = queue.next()) {
      if (isClosed()) return;
      const known = entries.get(next.id);
      const read = await readCandidate(next, known, { ...parts, listing, contents });
      if (read) entries.set(read.entry);
      // The next attempt gets a fresh process.
      if (read?.isWorthAnother) queue.requeue(next);
      queue.done(next);
      await nextTurn();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}
