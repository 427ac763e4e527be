import { setImmediate as nextTurn } from "node:timers/promises";

import type { UnreadFiles } from "./catalog.ts";
import type { RegistryParts } from "./contract.ts";
import type { Entries } from "./entries.ts";
import { declaredKey, type Entry, isPending } from "./entry.ts";
import type { Contents } from "./fingerprint.ts";
import type { Uses } from "./module-graph.ts";
import { createReadQueue, type ReadQueue } from "./read-queue.ts";
import { readCandidate } from "./read-candidate.ts";
import type { Candidate, Listing } from "./scan.ts";

/** One file is bundled, one is evaluated, and one waits, so that the bundler is never idle. */
const concurrency = 3;
/** Files that somebody asks for are evaluated beside these, so many at a time. */
const maxAsked = 8;

/** Evaluates the files of a folder that have changed. */
export interface FolderReader {
  /** Evaluates the pending entries of a new listing; what runs goes on. */
  start(listing: Listing, contents: Contents, uses: ReadonlyMap<string, Uses>): void;
  stop(): void;
  /** True when a file that is to be evaluated has this key in its text. */
  declares(key: string): boolean;
  /** The files that are to be evaluated; undefined when there is none. */
  unread(): UnreadFiles | undefined;
  /** Resolves when nothing is to be evaluated. */
  idle(): Promise<void>;
}

export interface FolderReaderParts extends RegistryParts {
  readonly root: string;
  readonly entries: Entries;
  isClosed(): boolean;
}

/** One listing, and what must be evaluated of it. */
interface Plan {
  readonly listing: Listing;
  readonly contents: Contents;
  readonly queue: ReadQueue<Candidate>;
  readonly keys: ReadonlySet<string>;
}

/**
 * The order of evaluation: what was served before, sources, actions, and at last what may be no component. Of one app, those
 * with most packages come first, because their installation serves the others.
 */
function inOrder(entries: readonly Entry[], uses: ReadonlyMap<string, Uses>): Entry[] {
  const rank = (entry: Entry): number => {
    if (entry.item) return 0;
    if (declaredKey(entry) === undefined) return 3;
    return entry.declared.type === "action" ? 2 : 1;
  };
  const appOf = ({ candidate }: Entry): string => uses.get(candidate.id)?.apps[0] ?? "";
  const packages = ({ candidate }: Entry): number => uses.get(candidate.id)?.packages.length ?? 0;
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return entries.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      byText(appOf(a), appOf(b)) ||
      packages(b) - packages(a) ||
      byText(a.candidate.id, b.candidate.id),
  );
}

/** Plans the evaluation of all pending entries. */
function planReading(listing: Listing, contents: Contents, entries: Entries, uses: ReadonlyMap<string, Uses>): Plan {
  const pending = inOrder([...entries.all()].filter(isPending), uses);
  const hints = new Map<Candidate, string>();
  for (const entry of pending) {
    const key = declaredKey(entry);
    if (key !== undefined) hints.set(entry.candidate, key);
  }
  const queue = createReadQueue(
    pending.map(({ candidate }) => candidate),
    hints,
  );
  return { listing, contents, queue, keys: new Set(hints.values()) };
}

/** The files of a queue for who asks for a key; `work` evaluates those that are asked for. */
const unreadOf = (queue: ReadQueue<Candidate>, work: () => Promise<void>): UnreadFiles => ({
  readFirst(key, waitMs) {
    const found = queue.readFirst(key, waitMs);
    void work();
    return found;
  },
  get left() {
    return queue.leftWithoutKey;
  },
  total: queue.total,
});

/** `ended`: called when all files of the last listing are evaluated. */
export function createFolderReader(parts: FolderReaderParts, ended: (listing: Listing) => Promise<void>): FolderReader {
  const { entries, isClosed } = parts;
  const reading = new Map<string, Promise<void>>();
  let plan: Plan | undefined;
  let working: Promise<void> | undefined;
  let asked = 0;

  async function read(candidate: Candidate, { listing, contents, queue }: Plan, isAsked: boolean): Promise<void> {
    const result = await readCandidate(candidate, entries.get(candidate.id), {
      ...parts,
      listing,
      contents,
      isAsked,
    });
    if (result) entries.read(candidate, result.reading);
    // The next attempt gets a fresh process.
    if (result?.isWorthAnother) queue.requeue(candidate);
  }

  /** True when a reading of an older listing is still true. */
  async function isCurrent(candidate: Candidate, { listing, contents }: Plan): Promise<boolean> {
    const entry = entries.get(candidate.id);
    if (!entry?.isRead || entry.tries > 0) return entry === undefined;
    await entries.recall(candidate, listing, contents);
    return entries.get(candidate.id)?.isRead === true;
  }

  async function readOnce(candidate: Candidate, now: Plan, isAsked: boolean): Promise<void> {
    const { id } = candidate;
    await reading.get(id);
    if (!(await isCurrent(candidate, now))) {
      const promise = read(candidate, now, isAsked).finally(() => reading.delete(id));
      reading.set(id, promise);
      await promise;
    }
    now.queue.done(candidate);
    await nextTurn();
  }

  async function work(): Promise<void> {
    for (;;) {
      const now = plan;
      const next = now?.queue.next();
      if (!now || !next || isClosed()) return;
      await readOnce(next, now, false);
    }
  }

  async function workAll(): Promise<void> {
    try {
      for (let done: Plan | undefined; done !== plan && !isClosed();) {
        done = plan;
        await Promise.all(Array.from({ length: concurrency }, work));
        if (done && done === plan && !isClosed()) await ended(done.listing);
      }
    } finally {
      working = undefined;
    }
  }

  async function workAsked(): Promise<void> {
    if (asked >= maxAsked) return;
    asked += 1;
    try {
      for (;;) {
        const now = plan;
        const next = now?.queue.nextAsked();
        if (!now || !next || isClosed()) return;
        await readOnce(next, now, true);
      }
    } finally {
      asked -= 1;
    }
  }

  return {
    start(listing, contents, uses) {
      plan = planReading(listing, contents, entries, uses);
      working ??= workAll();
    },
    stop: () => (plan = undefined),
    declares: (key) => plan?.keys.has(key) === true,
    unread: () => plan && unreadOf(plan.queue, workAsked),
    idle: async () => working,
  };
}
