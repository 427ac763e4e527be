import { dirname, join, resolve } from "node:path";

import type { RegistryItem } from "../api.ts";
import { systemClock } from "../clock.ts";
import type { Component } from "../model.ts";
import { createCatalog } from "./catalog.ts";
import type { Registry, RegistryParts } from "./contract.ts";
import { itemOf } from "./list.ts";
import { createReadingLine, type ReadingLine } from "./reading-line.ts";
import { type Candidate, type Listing, scanFolder } from "./scan.ts";
import { createRetry } from "./retry.ts";
import { signatureOf } from "./signature.ts";
import { findUnserved, type Unserved } from "./unserved.ts";
import { exportsNoComponent, mayPass, type RegistryProblem, registryProblem } from "./verdict.ts";
import { watchFolders } from "./watch.ts";

/** How long nothing must change before changes are read: whoever writes several files has then written them. */
const quietMs = 60;
/** Where something changes all the time, changes are read all the same. */
const longestWaitMs = 1_000;
/** Bundling has one process, and callers of the interface wait for it too. */
const atOnce = 2;

/** What is known about one candidate. */
interface Entry {
  readonly candidate: Candidate;
  readonly signature: string;
  /** Absolute. */
  readonly files: readonly string[];
  /** The last that was good. */
  readonly component: Component | undefined;
  readonly problem: RegistryProblem | undefined;
  /** It is worth another try although nothing changes here. */
  readonly mayPass: boolean;
  readonly unserved: Unserved | undefined;
}

const shownOf = ({ candidate, component, problem }: Entry): RegistryItem[] => {
  if (component) return [{ ...itemOf(candidate.shown, component), ...(problem && { problem }) }];
  return problem ? [{ file: candidate.shown, problem }] : [];
};

/** Reads a folder in the background, and again whenever something in it changes. */
export function createFolderRegistry(folder: string, parts: RegistryParts): Registry {
  const { save, renew, seemingKey, retryMs, logger } = parts;
  const root = resolve(folder);
  const catalog = createCatalog(logger, { folder: root });
  const entries = new Map<string, Entry>();
  /** Keys that callers wait for, with their number. */
  const wanted = new Map<string, number>();
  /** What the last scan has yet to read. */
  let line: ReadingLine | undefined;
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
      try {
        await scan();
      } catch (error) {
        logger.error("the registry could not be read", { error: registryProblem(error).message });
      }
    }
  }

  async function scan(): Promise<void> {
    renew();
    const listing = await scanFolder(root, watch.add).catch((error: unknown) => registryProblem(error));
    if (closed) return;
    if ("code" in listing) {
      entries.clear();
      watch.keepOnly(new Set());
      catalog.replace([{ file: ".", problem: listing }]);
      return;
    }
    const unread = createReadingLine(listing.candidates);
    line = unread;
    for (const key of wanted.keys()) unread.hurry(key);
    const work = async (): Promise<void> => {
      for (let next = unread.next(); next; next = unread.next()) if (!closed) await read(next, listing);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (closed) return;
    const present = new Set(listing.candidates.map(({ id }) => id));
    for (const id of entries.keys()) if (!present.has(id)) entries.delete(id);
    watchAll(listing);
    const broken = [...listing.problems].map(([file, problem]) => ({ file, problem }));
    const shown = [...entries.values()].flatMap(shownOf);
    const unserved = [...entries.values()].flatMap((entry) => entry.unserved ?? []);
    catalog.replace(
      [...shown, ...broken].sort((a, b) => (a.file < b.file ? -1 : 1)),
      unserved,
    );
    retry.ended([...entries.values()].some((entry) => entry.mayPass));
  }

  /** Reads a candidate unless nothing it is made of has changed. */
  async function read(candidate: Candidate, listing: Listing): Promise<void> {
    const known = entries.get(candidate.id);
    if (known?.candidate.file === candidate.file && !known.mayPass) {
      const now = known.files.length > 0 ? await signatureOf(known.files, listing) : listing.digest;
      if (now === known.signature) return;
    }
    let files: readonly string[] = [];
    const noted = (names: readonly string[]): void => {
      files = [candidate.file, ...names.map((name) => join(candidate.root, name))];
    };
    const outcome = await save({ file: candidate.file, root: candidate.root }, noted).then(
      (component) => ({ component, problem: undefined, mayPass: false, unserved: undefined }),
      async (error: unknown) => {
        const isOther = exportsNoComponent(error) && !known?.component;
        return {
          component: known?.component,
          problem: isOther ? undefined : registryProblem(error),
          mayPass: mayPass(error),
          unserved: await findUnserved(error, async () => candidate.publishedKey ?? seemingKey(candidate)),
        };
      },
    );
    if (closed) return;
    // Nobody knows which files it lacks when it could not be bundled: then any change may help.
    const signature = files.length > 0 ? await signatureOf(files, listing) : listing.digest;
    entries.set(candidate.id, { candidate, signature, files, ...outcome });
    if (outcome.component && !known) catalog.add(itemOf(candidate.shown, outcome.component));
  }

  /** Also folders that are not looked into, when a component is made of a file in them. */
  function watchAll(listing: Listing): void {
    const folders = new Set(listing.folders);
    for (const { files } of entries.values()) for (const file of files) folders.add(dirname(file));
    for (const each of folders) watch.add(each);
    watch.keepOnly(folders);
  }

  begin();
  return {
    async find(key) {
      // What is still waited for may be just this.
      if (cancelQuiet && catalog.idOf(key) === undefined) begin();
      if (catalog.idOf(key) === undefined) line?.hurry(key);
      wanted.set(key, (wanted.get(key) ?? 0) + 1);
      try {
        return await catalog.find(key, () => scanning);
      } finally {
        const others = (wanted.get(key) ?? 1) - 1;
        if (others > 0) wanted.set(key, others);
        else wanted.delete(key);
      }
    },
    async items() {
      if (cancelQuiet) begin();
      await scanning;
      return catalog.items;
    },
    async close() {
      closed = true;
      cancelQuiet?.();
      retry.close();
      watch.close();
      await scanning;
    },
  };
}
