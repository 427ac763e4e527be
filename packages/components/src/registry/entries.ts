import { type Logger, version } from "@x/model";
import type { Declared } from "../declared/contract.ts";
import type { Catalog } from "./catalog.ts";
import type { RegistryParts } from "./contract.ts";
import { type Entry, failureOf, itemsOf, parseEntry, type Reading, unread } from "./entry.ts";
import { type Contents, stampsOf } from "./fingerprint.ts";
import type { RegistryProblem } from "./problem.ts";
import type { Candidate, Listing } from "./scan.ts";
import { createStoredEntries } from "./stored-entries.ts";

const maxTries = 5;

/** What is known of the files of a registry: in the catalogue at once, and stored for the next process. */
export interface Entries {
  /** Resolves when the entries of earlier processes are there. */
  loaded(): Promise<unknown>;
  get(id: string): Entry | undefined;
  all(): Iterable<Entry>;
  /**
   * Takes what this or an earlier process knows of a candidate, as far as it is still true. Returns false when its text must
   * be parsed.
   */
  recall(candidate: Candidate, listing: Listing, contents: Contents): Promise<boolean>;
  /** Keeps what the text of a candidate says; its version before stays served until it is evaluated. */
  declare(candidate: Candidate, declared: Declared, listing: Listing): void;
  /** Keeps the result of an evaluation. */
  read(candidate: Candidate, reading: Reading): void;
  /** Forgets the files that a listing does not have. */
  keep(listing: Listing): void;
  /** Shows all in the catalogue, with the problems of a listing. `isComplete`: see `Catalog`. */
  show(listing: Pick<Listing, "problems">, isComplete?: boolean): void;
  /** Forgets all: the folder cannot be read. */
  clear(problem: RegistryProblem): void;
  /** Absolute paths of all files that components consist of. */
  files(): string[];
  /** True when a file failed in a way that another attempt may mend. */
  mayBeRetried(): boolean;
  /** Evaluates files again that failed in such a way. */
  retry(): void;
  /** Resolves when all changes are stored; never rejects. */
  flush(): Promise<void>;
}

const isRetried = ({ tries }: Entry): boolean => tries > 0 && tries < maxTries;

export function createEntries(root: string, catalog: Catalog, store: RegistryParts["store"], logger: Logger): Entries {
  const entries = new Map<string, Entry>();
  const storedEntries = createStoredEntries(root, store, logger);
  /** Entries of earlier processes, until the first scan has used them. */
  let stored: ReadonlyMap<string, string> = new Map();
  const loading = storedEntries.load().then((loaded) => (stored = loaded));
  loading.catch(() => undefined);

  function set(entry: Entry, isChanged: boolean): void {
    const { candidate, item } = entry;
    entries.set(candidate.id, entry);
    if (isChanged) storedEntries.put(entry);
    if (item) catalog.add(item);
    const failure = item ? undefined : failureOf(entry);
    if (failure) catalog.fail(failure);
  }

  /** The entry with its reading, if nothing that it depends on has changed; else without. */
  async function current(known: Entry, listing: Listing, contents: Contents): Promise<Entry> {
    const { candidate, files, stamps, content, item } = known;
    const outdated = { ...known, ...unread, item };
    if (!known.isRead) return known;
    const now = files.length > 0 ? await stampsOf(files, root, listing) : listing.digest;
    if (now === stamps) return known;
    // A checkout or a rewrite changes stamps but not contents.
    if (content === undefined || content !== (await contents.of(files, root))) return outdated;
    return { ...known, stamps: now, parsedAt: listing.stamps.get(candidate.file) ?? "" };
  }

  return {
    loaded: () => loading,
    get: (id) => entries.get(id),
    all: () => entries.values(),
    async recall(candidate, listing, contents) {
      const record = stored.get(candidate.id);
      const own = entries.get(candidate.id);
      const known = own ?? (record === undefined ? undefined : parseEntry(record, candidate, version));
      if (known?.candidate.file !== candidate.file) return false;
      const now = await current(known, listing, contents);
      // What an earlier process served must not be taken for a file that has changed since.
      const entry = own || now.isRead ? now : { ...now, item: undefined };
      const isParsed = entry.parsedAt === listing.stamps.get(candidate.file);
      if (entry !== own) set(entry, entry !== known);
      return isParsed;
    },
    declare(candidate, declared, listing) {
      const item = entries.get(candidate.id)?.item;
      set({ candidate, declared, parsedAt: listing.stamps.get(candidate.file) ?? "", ...unread, item }, true);
    },
    read(candidate, reading) {
      const entry = entries.get(candidate.id);
      if (entry) set({ ...entry, ...reading }, true);
    },
    keep({ candidates }) {
      const present = new Set(candidates.map(({ id }) => id));
      for (const id of [...entries.keys(), ...stored.keys()]) {
        if (present.has(id)) continue;
        entries.delete(id);
        storedEntries.delete(id);
      }
      stored = new Map();
    },
    show({ problems }, isComplete) {
      const broken = [...problems].map(([file, problem]) => ({ file, problem }));
      const shown = [...entries.values()].flatMap(itemsOf);
      catalog.replace(
        [...shown, ...broken].sort((a, b) => (a.file < b.file ? -1 : 1)),
        [...entries.values()].flatMap((entry) => failureOf(entry) ?? []),
        isComplete,
      );
    },
    clear(problem) {
      for (const id of entries.keys()) storedEntries.delete(id);
      entries.clear();
      catalog.replace([{ file: ".", problem }]);
    },
    files: () => [...entries.values()].flatMap(({ files }) => files),
    mayBeRetried: () => [...entries.values()].some(isRetried),
    retry() {
      for (const entry of entries.values())
        if (isRetried(entry)) entries.set(entry.candidate.id, { ...entry, isRead: false });
    },
    flush: storedEntries.flush,
  };
}
