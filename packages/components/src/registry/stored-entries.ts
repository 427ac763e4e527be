import { type Logger, version } from "@x/model";
import type { Change, Store } from "@x/store";
import { type Entry, formatEntry } from "./entry.ts";
import { registryProblem } from "./problem.ts";

/** Stores the entries of a registry for the next process. */
export interface StoredEntries {
  /** Entries as JSON text, by id of the file. */
  load(): Promise<ReadonlyMap<string, string>>;
  put(entry: Entry): void;
  delete(id: string): void;
  /** Resolves when all changes are stored. Logs a failure; never rejects. */
  flush(): Promise<void>;
}

/** Files per commit. After a kill, the next process reads the files of an uncommitted batch again. */
const batchSize = 64;

export function createStoredEntries(
  registry: string,
  store: Pick<Store, "registryFiles" | "commit">,
  logger: Logger,
): StoredEntries {
  const changes = new Map<string, Change>();
  let flushing = Promise.resolve();

  async function write(): Promise<void> {
    const batch = [...changes.values()];
    changes.clear();
    if (batch.length > 0) await store.commit(batch);
  }
  function flush(): Promise<void> {
    flushing = flushing.then(write).catch((error: unknown) => {
      // The next process reads them again.
      logger.warn("the state of the registry cannot be stored", { error: registryProblem(error).message });
    });
    return flushing;
  }
  function change(id: string, made: Change): void {
    changes.set(id, made);
    if (changes.size >= batchSize) void flush();
  }

  return {
    async load() {
      const files = await store.registryFiles(registry);
      return new Map(files.map(({ id, record }) => [id, record]));
    },
    put(entry) {
      const { id } = entry.candidate;
      change(id, { op: "registry_file.put", registry, file: { id, record: formatEntry(entry, version) } });
    },
    delete: (id) => change(id, { op: "registry_file.delete", registry, id }),
    flush,
  };
}
