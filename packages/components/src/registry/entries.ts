import { type Logger, version } from "@x/model";
import type { Catalog } from "./catalog.ts";
import type { RegistryParts } from "./contract.ts";
import { type Entry, failureOf, itemsOf, parseEntry } from "./entry.ts";
import { type Contents, stampsOf } from "./fingerprint.ts";
import type { RegistryProblem } from "./problem.ts";
import type { Candidate, Listing } from "./scan.ts";
import { createStoredEntries, mayHaveServed } from "./stored-entries.ts";

const mostTries = 5;

/** What is known of the files of a registry: in the catalogue at once, and stored for the next process. */
export interface Entries {
  /** Resolves when the entries of earlier processes are there. */
  loaded(): Promise<unknown>;
  get(id: string): Entry | undefined;
  set(entry: Entry): void;
  /** True when nothing that the candidate depends on has changed since this or an earlier process read it. */
  isUnchanged(candidate: Candidate, listing: Listing, contents: Contents): Promise<boolean>;
  /** Forgets the files that a listing does not have, and shows the others with its problems. */
  keep(listing: Listing): void;
  /** Forgets all: the folder cannot be read. */
  clear(problem: RegistryProblem): void;
  /** Absolute paths of all files that components consist of. */
  files(): string[];
  /** True when a file failed in a way that another attempt may mend. */
  mayBeRetried(): boolean;
  /** True when an earlier process probably served a component with this key, until the first scan has ended. */
  mayHaveServed(key: string): Promise<boolean>;
  /** Resolves when all changes are stored; never rejects. */
  flush(): Promise<void>;
}

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

  return {
    loaded: () => loading,
    get: (id) => entries.get(id),
    set: (entry) => set(entry, true),
    async isUnchanged(candidate, listing, contents) {
      const record = stored.get(candidate.id);
      const own = entries.get(candidate.id);
      const known = own ?? (record === undefined ? undefined : parseEntry(record, candidate, version));
      if (known?.candidate.file !== candidate.file || (known.tries > 0 && known.tries < mostTries)) return false;
      const now = known.files.length > 0 ? await stampsOf(known.files, root, listing) : listing.digest;
      let entry = known;
      if (now !== known.stamps) {
        // A checkout or a rewrite changes stamps but not contents.
        const same = known.content !== undefined && known.content === (await contents.of(known.files, root));
        if (!same) return false;
        entry = { ...known, stamps: now };
      }
      if (entry !== own) set(entry, entry !== known);
      return true;
    },
    keep({ candidates, problems }) {
      const present = new Set(candidates.map(({ id }) => id));
      for (const id of [...entries.keys(), ...stored.keys()]) {
        if (present.has(id)) continue;
        entries.delete(id);
        storedEntries.delete(id);
      }
      stored = new Map();
      const broken = [...problems].map(([file, problem]) => ({ file, problem }));
      const shown = [...entries.values()].flatMap(itemsOf);
      catalog.replace(
        [...shown, ...broken].sort((a, b) => (a.file < b.file ? -1 : 1)),
        [...entries.values()].flatMap((entry) => failureOf(entry) ?? []),
      );
    },
    clear(problem) {
      for (const id of entries.keys()) storedEntries.delete(id);
      entries.clear();
      catalog.replace([{ file: ".", problem }]);
    },
    files: () => [...entries.values()].flatMap(({ files }) => files),
    mayBeRetried: () => [...entries.values()].some(({ tries }) => tries > 0 && tries < mostTries),
    async mayHaveServed(key) {
      await loading.catch(() => undefined);
      return mayHaveServed(stored, key);
    },
    flush: storedEntries.flush,
  };
}
