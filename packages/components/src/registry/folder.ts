import { dirname, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { systemClock } from "@x/model";
import type { Registry, RegistryParts } from "./contract.ts";
import { createCatalog, findKey, type UnreadFiles } from "./catalog.ts";
import { createEntries, type Entries } from "./entries.ts";
import { type Contents, createContents } from "./fingerprint.ts";
import { listEntries } from "./folder-list.ts";
import { createFolderReader } from "./folder-reader.ts";
import { createParsedFiles } from "./parsed-files.ts";
import { type Candidate, type Listing, scanFolder } from "./scan.ts";
import { createScanSchedule } from "./scan-schedule.ts";
import { createRetry } from "./retry.ts";
import { registryProblem } from "./problem.ts";
import { isDoneWithin } from "./read-queue.ts";
import { watchFolders } from "./watch.ts";

/** Longest wait of a deploy for the list of files, in milliseconds: it waits only for its own component. */
const longestListing = 3_000;

function logUnwatched(folder: string, error: unknown, logger: RegistryParts["logger"]): void {
  const { code, message } = registryProblem(error);
  const text = "the registry cannot be watched; some changes take effect only after a restart";
  logger.warn(text, { folder, code, error: message });
}

/** Candidates that are compared between two turns of the event loop. */
const candidatesPerTurn = 64;

/** The candidates whose texts must be parsed; takes what is known of the others. */
async function findChanged(listing: Listing, contents: Contents, entries: Entries): Promise<Candidate[]> {
  const changed: Candidate[] = [];
  for (const [count, candidate] of listing.candidates.entries()) {
    if (!(await entries.recall(candidate, listing, contents))) changed.push(candidate);
    if (count % candidatesPerTurn === 0) await nextTurn();
  }
  return changed;
}

/**
 * Lists a folder and parses its files, at the start and after each change; evaluates them in the background, and at once
 * those that somebody asks for.
 */
export function createFolderRegistry(folder: string, parts: RegistryParts): Registry {
  const { renew, retryMs, logger, store } = parts;
  const root = resolve(folder);
  const catalog = createCatalog(logger, { folder: root });
  const entries = createEntries(root, catalog, store, logger);
  const parsed = createParsedFiles(entries, parts.declare);
  const retry = createRetry(retryMs, () => schedule.start());
  let closed = false;

  const reader = createFolderReader({ ...parts, root, entries, isClosed: () => closed }, async (listing) => {
    entries.show(listing);
    watchAll(listing);
    await entries.flush();
    retry.ended(entries.mayBeRetried());
  });
  const schedule = createScanSchedule(async () => {
    try {
      await scan();
    } catch (error) {
      if (!closed) logger.error("the registry could not be read", { error: registryProblem(error).message });
    }
  });
  const watch = watchFolders({
    root,
    changed: schedule.changed,
    failed: (path, error) => logUnwatched(path, error, logger),
  });

  /** Watches all listed folders, and skipped ones with a file of a component. */
  function watchAll(listing: Listing): void {
    const folders = new Set([...listing.folders, ...entries.files().map((file) => dirname(file))]);
    for (const each of folders) watch.add(each);
    watch.keepOnly(folders);
  }

  async function scan(): Promise<void> {
    renew();
    await entries.loaded();
    const listing = await scanFolder(root, watch.add).catch((error: unknown) => registryProblem(error));
    if (closed) return;
    if ("code" in listing) {
      watch.keepOnly(new Set());
      reader.stop();
      entries.clear(listing);
      await entries.flush();
      return;
    }
    entries.retry();
    const contents = createContents(listing);
    const changed = await findChanged(listing, contents, entries);
    if (closed) return;
    entries.keep(listing);
    await parsed.parse(changed, listing, () => closed);
    if (closed) return;
    entries.show(listing, false);
    watchAll(listing);
    await entries.flush();
    reader.start(listing, contents, parsed.uses());
  }

  /** The files that may have an unknown key, or that the files are not listed yet. */
  async function unreadFor(key: string, waitMs: number): Promise<UnreadFiles | "listing" | undefined> {
    // A change that waits for its scan may bring this key.
    if (schedule.isWaiting) schedule.start();
    if (reader.declares(key) || (await isDoneWithin(schedule.idle(), waitMs))) return reader.unread();
    return "listing";
  }

  schedule.start();
  return {
    async find(key, waitMs) {
      const known = catalog.idOf(key);
      if (known !== undefined) return known;
      const began = systemClock.now();
      const unread = await unreadFor(key, waitMs ?? longestListing);
      return findKey(key, catalog, unread, waitMs && Math.max(0, waitMs - (systemClock.now() - began)));
    },
    list: () => listEntries(entries.all(), parsed.uses()),
    async items() {
      if (schedule.isWaiting) schedule.start();
      await schedule.idle();
      await reader.idle();
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
