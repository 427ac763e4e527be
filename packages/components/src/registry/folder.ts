import { dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Registry, RegistryItem, RegistryParts } from "./contract.ts";
import { systemClock, version } from "@x/model";
import { createCatalog, findKey } from "./catalog.ts";
import { type Entry, failureOf, itemsOf, parseEntry } from "./entry.ts";
import { createContents, type Contents, stampsOf } from "./fingerprint.ts";
import { itemOf } from "./list.ts";
import { createReadQueue, readKeyHints, type ReadQueue } from "./read-queue.ts";
import { createListingWait, type ListingWait } from "./listing-wait.ts";
import { createStoredEntries, mayHaveServed } from "./stored-entries.ts";
import { type Candidate, type Listing, scanFolder } from "./scan.ts";
import { createRetry } from "./retry.ts";
import { exportsNoComponent, isClosing, isTransient, packageFailure, ranOut, registryProblem } from "./problem.ts";
import { watchFolders } from "./watch.ts";

/** Milliseconds without a change before a scan, so that one scan covers a series of writes. */
const debounceMs = 60;
/** Longest wait for a scan when files change all the time. */
const longestWaitMs = 1_000;
/** One file is bundled, one is evaluated, and one waits, so that the bundler is never idle. */
const concurrency = 3;
const maxTries = 5;

/** One scan of the folder. */
interface Scan {
  /** Resolves when it is known which candidates must be read. */
  readonly planned: PromiseWithResolvers<ReadQueue<Candidate> | undefined>;
  readonly listing: ListingWait;
}

/** Reads a folder in the background, and again after each change. */
export function createFolderRegistry(folder: string, parts: RegistryParts): Registry {
  const { save, renew, seemingKey, retryMs, logger, store } = parts;
  const root = resolve(folder);
  const catalog = createCatalog(logger, { folder: root });
  const entries = new Map<string, Entry>();
  const storedEntries = createStoredEntries(root, store, logger);
  /** Entries of earlier processes, until the first scan has used them. */
  let stored: Promise<ReadonlyMap<string, string>> = storedEntries.load();
  stored.catch(() => undefined);
  let current: Scan | undefined;
  let scanning: Promise<void> | undefined;
  let isDirty = false;
  let closed = false;
  let cancelScan: (() => void) | undefined;
  let changedAt: number | undefined;

  const retry = createRetry(retryMs, startScan);
  const watch = watchFolders({
    root,
    changed() {
      if (closed) return;
      cancelScan?.();
      // Real time: a manual clock does not affect the file system.
      const now = systemClock.now();
      changedAt ??= now;
      cancelScan = systemClock.wakeAt(Math.min(now + debounceMs, changedAt + longestWaitMs), startScan);
    },
    failed(path, error) {
      const { code, message } = registryProblem(error);
      logger.warn("the registry cannot be watched; some changes take effect only after a restart", {
        folder: path,
        code,
        error: message,
      });
    },
  });

  function startScan(): void {
    cancelScan?.();
    cancelScan = undefined;
    changedAt = undefined;
    isDirty = true;
    scanning ??= scanWhileDirty().finally(() => (scanning = undefined));
  }

  async function scanWhileDirty(): Promise<void> {
    for (;;) {
      if (!isDirty || closed) return;
      isDirty = false;
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
    }
  }

  async function scan({ planned, listing: wait }: Scan): Promise<void> {
    renew();
    const known = await stored;
    const enter = (path: string): void => {
      watch.add(path);
      wait.count();
    };
    const listing = await scanFolder(root, enter).catch((error: unknown) => registryProblem(error));
    if (closed) return;
    if ("code" in listing) {
      for (const id of entries.keys()) storedEntries.delete(id);
      entries.clear();
      watch.keepOnly(new Set());
      catalog.replace([{ file: ".", problem: listing }]);
      await storedEntries.flush();
      return;
    }
    const contents = createContents(listing);
    const changed: Candidate[] = [];
    for (const candidate of listing.candidates) {
      if (closed) return;
      if (!(await isUnchanged(candidate, listing, contents, known))) changed.push(candidate);
    }
    const queue = createReadQueue(changed, await readKeyHints(changed, seemingKey));
    wait.end();
    planned.resolve(queue);
    const work = async (): Promise<void> => {
      for (let next = queue.next(); next; next = queue.next()) {
        if (closed) return;
        await read(next, listing, contents, queue);
        queue.done(next);
        await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    if (closed) return;
    forgetRemoved(new Set(listing.candidates.map(({ id }) => id)), known);
    stored = Promise.resolve(new Map());
    watchAll(listing);
    updateCatalog(listing);
    await storedEntries.flush();
    retry.ended([...entries.values()].some(({ tries }) => tries > 0 && tries < maxTries));
  }

  function forgetRemoved(present: ReadonlySet<string>, known: ReadonlyMap<string, string>): void {
    for (const id of [...entries.keys(), ...known.keys()]) {
      if (present.has(id)) continue;
      entries.delete(id);
      storedEntries.delete(id);
    }
  }

  function updateCatalog(listing: Listing): void {
    const broken = [...listing.problems].map(([file, problem]) => ({ file, problem }));
    const shown = [...entries.values()].flatMap(itemsOf);
    catalog.replace(
      [...shown, ...broken].sort((a, b) => (a.file < b.file ? -1 : 1)),
      [...entries.values()].flatMap((entry) => failureOf(entry) ?? []),
    );
  }

  /** True when nothing that the candidate depends on has changed since this or an earlier process read it. */
  async function isUnchanged(
    candidate: Candidate,
    listing: Listing,
    contents: Contents,
    stored: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const record = stored.get(candidate.id);
    const own = entries.get(candidate.id);
    const known = own ?? (record === undefined ? undefined : parseEntry(record, candidate, version));
    if (known?.candidate.file !== candidate.file || (known.tries > 0 && known.tries < maxTries)) return false;
    const now = known.files.length > 0 ? await stampsOf(known.files, root, listing) : listing.digest;
    let entry = known;
    if (now !== known.stamps) {
      // A checkout or a rewrite changes stamps but not contents.
      const same = known.content !== undefined && known.content === (await contents.of(known.files, root));
      if (!same) return false;
      entry = { ...known, stamps: now };
    }
    if (entry !== own) setEntry(entry, entry !== known);
    return true;
  }

  function setEntry(entry: Entry, isChanged: boolean): void {
    const { candidate, item } = entry;
    entries.set(candidate.id, entry);
    if (isChanged) storedEntries.put(entry);
    if (item) catalog.add(item);
    const failure = item ? undefined : failureOf(entry);
    if (failure) catalog.fail(failure);
  }

  async function read(
    candidate: Candidate,
    listing: Listing,
    contents: Contents,
    queue: ReadQueue<Candidate>,
  ): Promise<void> {
    const known = entries.get(candidate.id);
    let names: readonly string[] = [];
    const result = await save({ file: candidate.file, root: candidate.root }, (files) => (names = files)).then(
      (component) => ({ component }),
      (error: unknown) => ({ error }),
    );
    if (closed || ("error" in result && isClosing(result.error))) return;
    const files = names.length > 0 ? [candidate.file, ...names.map((name) => join(candidate.root, name))] : [];
    const facts = {
      candidate,
      files,
      // When it could not be bundled, any change may fix it: the missing files are unknown.
      stamps: files.length > 0 ? await stampsOf(files, root, listing) : listing.digest,
      content: files.length > 0 ? await contents.of(files, root) : undefined,
    };
    if ("component" in result) {
      const item = itemOf(candidate.shown, result.component);
      setEntry({ ...facts, item, problem: undefined, seemingKey: undefined, tries: 0, failure: undefined }, true);
      return;
    }
    const { error } = result;
    const tries = isTransient(error) ? 1 : ranOut(error) ? (known?.tries ?? 0) + 1 : 0;
    // The next attempt gets a fresh process.
    if (ranOut(error) && tries === 1) queue.requeue(candidate);
    if (registryProblem(error).code === "internal") logCause(candidate, error);
    const isOther = exportsNoComponent(error) && !known?.item;
    const key = isOther ? undefined : (candidate.publishedKey ?? (await seemingKey(candidate)));
    setEntry(
      {
        ...facts,
        item: known?.item,
        problem: isOther ? undefined : registryProblem(error),
        seemingKey: key,
        tries,
        failure: key === undefined ? undefined : packageFailure(error, key),
      },
      true,
    );
  }

  function logCause({ shown }: Candidate, error: unknown): void {
    const cause = error instanceof Error ? error.cause : undefined;
    logger.error("a file of the registry caused an internal error", {
      file: shown,
      error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }

  /** Watches all listed folders, and skipped ones with a file of a component. */
  function watchAll(listing: Listing): void {
    const folders = new Set(listing.folders);
    for (const { files } of entries.values()) for (const file of files) folders.add(dirname(file));
    for (const each of folders) watch.add(each);
    watch.keepOnly(folders);
  }

  /** The files that may have an unknown key. Waits for the whole listing when an earlier process served the key. */
  async function unreadFor(key: string): Promise<ReadQueue<Candidate> | "listing" | undefined> {
    if (!current || catalog.idOf(key) !== undefined) return undefined;
    const { planned, listing } = current;
    if (mayHaveServed(await stored.catch(() => new Map<string, string>()), key)) return planned.promise;
    return Promise.race([planned.promise, listing.isLong.then(() => "listing" as const)]);
  }

  startScan();
  return {
    async find(key) {
      // A change that waits for its scan may bring this key.
      if (cancelScan && catalog.idOf(key) === undefined) startScan();
      return findKey(key, catalog, await unreadFor(key));
    },
    async items(): Promise<readonly RegistryItem[]> {
      if (cancelScan) startScan();
      await scanning;
      return catalog.items;
    },
    async close() {
      closed = true;
      cancelScan?.();
      retry.close();
      watch.close();
      // Does not wait for builds: they end with the bundler, which another runtime may share.
      await storedEntries.flush();
    },
  };
}
