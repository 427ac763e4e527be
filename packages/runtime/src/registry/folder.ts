import { dirname, join, resolve } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { RegistryItem } from "../api/api.ts";
import { systemClock } from "../process/clock.ts";
import { version } from "../model/version.ts";
import { createCatalog, findKey } from "./catalog.ts";
import type { Registry, RegistryParts } from "./contract.ts";
import { type Entry, parseEntry, refusedFile, shownOf } from "./entry.ts";
import { createContents, type Contents, stampsOf } from "./fingerprint.ts";
import { itemOf } from "./list.ts";
import { createReadingLine, type ReadingLine, readKeyHints } from "./read-queue.ts";
import { createListingWait, type ListingWait } from "./listing-wait.ts";
import { createRemembered, mayKnow } from "./stored-entries.ts";
import { type Candidate, type Listing, scanFolder } from "./scan.ts";
import { createRetry } from "./retry.ts";
import { exportsNoComponent, findUnserved, isClosing, mayPass, ranShort, registryProblem } from "./problem.ts";
import { watchFolders } from "./watch.ts";

/** How long nothing must change before changes are read: whoever writes several files has then written them. */
const quietMs = 60;
/** Where something changes all the time, changes are read all the same. */
const longestWaitMs = 1_000;
/** One is bundled, one is evaluated, and the bundler never waits for the next. */
const atOnce = 3;
/** What needs more time or memory than there is would be tried for ever. */
const mostTries = 5;

/** One reading of the folder. */
interface Scan {
  /** Resolves when it is known which candidates are to be read. */
  readonly planned: PromiseWithResolvers<ReadingLine<Candidate> | undefined>;
  readonly listing: ListingWait;
}

/** Reads a folder in the background, and again whenever something in it changes. */
export function createFolderRegistry(folder: string, parts: RegistryParts): Registry {
  const { save, renew, seemingKey, retryMs, logger, store } = parts;
  const root = resolve(folder);
  const catalog = createCatalog(logger, { folder: root });
  const entries = new Map<string, Entry>();
  const remembered = createRemembered(root, store, logger);
  /** What former processes knew; until the first reading has looked at it. */
  let former: Promise<ReadonlyMap<string, string>> = remembered.load();
  former.catch(() => undefined);
  let current: Scan | undefined;
  let scanning: Promise<void> | undefined;
  let isDirty = false;
  let closed = false;
  let cancelQuiet: (() => void) | undefined;
  let unreadSince: number | undefined;

  const retry = createRetry(retryMs, begin);
  const watch = watchFolders({
    root,
    changed() {
      if (closed) return;
      cancelQuiet?.();
      // Real time: files do not change by a clock that is moved by hand.
      const now = systemClock.now();
      unreadSince ??= now;
      cancelQuiet = systemClock.wakeAt(Math.min(now + quietMs, unreadSince + longestWaitMs), begin);
    },
    failed(path, error) {
      const { code, message } = registryProblem(error);
      logger.warn("the registry cannot be watched; some changes count after a restart only", {
        folder: path,
        code,
        error: message,
      });
    },
  });

  function begin(): void {
    cancelQuiet?.();
    cancelQuiet = undefined;
    unreadSince = undefined;
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
    const known = await former;
    const enter = (path: string): void => {
      watch.add(path);
      wait.count();
    };
    const listing = await scanFolder(root, enter).catch((error: unknown) => registryProblem(error));
    if (closed) return;
    if ("code" in listing) {
      for (const id of entries.keys()) remembered.forget(id);
      entries.clear();
      watch.keepOnly(new Set());
      catalog.replace([{ file: ".", problem: listing }]);
      await remembered.flush();
      return;
    }
    const contents = createContents(listing);
    const changed: Candidate[] = [];
    for (const candidate of listing.candidates) {
      if (closed) return;
      if (!(await isAsRead(candidate, listing, contents, known))) changed.push(candidate);
    }
    const line = createReadingLine(changed, await readKeyHints(changed, seemingKey));
    wait.end();
    planned.resolve(line);
    const work = async (): Promise<void> => {
      for (let next = line.next(); next; next = line.next()) {
        if (closed) return;
        await read(next, listing, contents, line);
        line.done(next);
        await nextTurn();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (closed) return;
    dropOthers(new Set(listing.candidates.map(({ id }) => id)), known);
    former = Promise.resolve(new Map());
    watchAll(listing);
    tell(listing);
    await remembered.flush();
    retry.ended([...entries.values()].some(({ tries }) => tries > 0 && tries < mostTries));
  }

  function dropOthers(present: ReadonlySet<string>, known: ReadonlyMap<string, string>): void {
    for (const id of [...entries.keys(), ...known.keys()]) {
      if (present.has(id)) continue;
      entries.delete(id);
      remembered.forget(id);
    }
  }

  function tell(listing: Listing): void {
    const broken = [...listing.problems].map(([file, problem]) => ({ file, problem }));
    const shown = [...entries.values()].flatMap(shownOf);
    catalog.replace(
      [...shown, ...broken].sort((a, b) => (a.file < b.file ? -1 : 1)),
      [...entries.values()].flatMap((entry) => entry.unserved ?? refusedFile(entry) ?? []),
    );
  }

  /** True when nothing has changed that the candidate is made of, as far as this process or a former one knows. */
  async function isAsRead(
    candidate: Candidate,
    listing: Listing,
    contents: Contents,
    former: ReadonlyMap<string, string>,
  ): Promise<boolean> {
    const kept = former.get(candidate.id);
    const own = entries.get(candidate.id);
    const known = own ?? (kept === undefined ? undefined : parseEntry(kept, candidate, version));
    if (known?.candidate.file !== candidate.file || (known.tries > 0 && known.tries < mostTries)) return false;
    const now = known.files.length > 0 ? await stampsOf(known.files, root, listing) : listing.digest;
    let entry = known;
    if (now !== known.stamps) {
      // Written again, or checked out anew: what files hold decides.
      const same = known.content !== undefined && known.content === (await contents.of(known.files, root));
      if (!same) return false;
      entry = { ...known, stamps: now };
    }
    if (entry !== own) keep(entry, entry !== known);
    return true;
  }

  function keep(entry: Entry, isNews: boolean): void {
    const { candidate, item } = entry;
    entries.set(candidate.id, entry);
    if (isNews) remembered.keep(entry);
    if (item) catalog.add(item);
    const refused = item ? undefined : (entry.unserved ?? refusedFile(entry));
    if (refused) catalog.fail(refused);
  }

  async function read(
    candidate: Candidate,
    listing: Listing,
    contents: Contents,
    line: ReadingLine<Candidate>,
  ): Promise<void> {
    const known = entries.get(candidate.id);
    let names: readonly string[] = [];
    const result = await save({ file: candidate.file, root: candidate.root }, (noted) => (names = noted)).then(
      (component) => ({ component }),
      (error: unknown) => ({ error }),
    );
    if (closed || ("error" in result && isClosing(result.error))) return;
    const files = names.length > 0 ? [candidate.file, ...names.map((name) => join(candidate.root, name))] : [];
    const facts = {
      candidate,
      files,
      // Nobody knows which files it lacks when it could not be bundled: then any change may help.
      stamps: files.length > 0 ? await stampsOf(files, root, listing) : listing.digest,
      content: files.length > 0 ? await contents.of(files, root) : undefined,
    };
    if ("component" in result) {
      const item = itemOf(candidate.shown, result.component);
      keep({ ...facts, item, problem: undefined, seemingKey: undefined, tries: 0, unserved: undefined }, true);
      return;
    }
    const { error } = result;
    const tries = mayPass(error) || ranShort(error) ? (mayPass(error) ? 1 : (known?.tries ?? 0) + 1) : 0;
    // The process that it was too much for is gone; the next one is fresh.
    if (ranShort(error) && tries === 1) line.again(candidate);
    if (registryProblem(error).code === "internal") logCause(candidate, error);
    const isOther = exportsNoComponent(error) && !known?.item;
    const key = isOther ? undefined : (candidate.publishedKey ?? (await seemingKey(candidate)));
    keep(
      {
        ...facts,
        item: known?.item,
        problem: isOther ? undefined : registryProblem(error),
        seemingKey: key,
        tries,
        unserved: await findUnserved(error, () => Promise.resolve(key)),
      },
      true,
    );
  }

  function logCause({ shown }: Candidate, error: unknown): void {
    const cause = error instanceof Error ? error.cause : undefined;
    logger.error("a file of the registry met an internal error", {
      file: shown,
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }

  /** Also folders that are not looked into, when a component is made of a file in them. */
  function watchAll(listing: Listing): void {
    const folders = new Set(listing.folders);
    for (const { files } of entries.values()) for (const file of files) folders.add(dirname(file));
    for (const each of folders) watch.add(each);
    watch.keepOnly(folders);
  }

  /** Where a key that is not known may be; what a former process knew is waited for. */
  async function unreadFor(key: string): Promise<ReadingLine<Candidate> | "listing" | undefined> {
    if (!current || catalog.idOf(key) !== undefined) return undefined;
    const { planned, listing } = current;
    if (mayKnow(await former.catch(() => new Map<string, string>()), key)) return planned.promise;
    return Promise.race([planned.promise, listing.isLong.then(() => "listing" as const)]);
  }

  begin();
  return {
    async find(key) {
      // What is still waited for may be just this.
      if (cancelQuiet && catalog.idOf(key) === undefined) begin();
      return findKey(key, catalog, await unreadFor(key));
    },
    async items(): Promise<readonly RegistryItem[]> {
      if (cancelQuiet) begin();
      await scanning;
      return catalog.items;
    },
    async close() {
      closed = true;
      cancelQuiet?.();
      retry.close();
      watch.close();
      // What is being bundled ends with the bundler, which may be another's.
      await remembered.flush();
    },
  };
}
