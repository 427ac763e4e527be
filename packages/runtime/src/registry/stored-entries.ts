import type { Logger } from "../api/options.ts";
import type { Change, Store } from "../store/contract.ts";
import { version } from "../model/version.ts";
import { type Entry, formatEntry } from "./entry.ts";
import { registryProblem } from "./problem.ts";

/** What is known of the files of a registry, from one process to the next. */
export interface Remembered {
  /** By id of the file. */
  load(): Promise<ReadonlyMap<string, string>>;
  keep(entry: Entry): void;
  forget(id: string): void;
  /** Resolves when all of it is kept. Never rejects. */
  flush(): Promise<void>;
}

/** True when a former process served a component with this key; as far as that is plain without reading all records. */
export function mayKnow(records: ReadonlyMap<string, string>, key: string): boolean {
  const member = `"key":${JSON.stringify(key)}`;
  return [...records.values()].some((record) => record.includes(member));
}

/** Commits of many files are one; a process that is killed reads these anew. */
const largestBatch = 64;

export function createRemembered(
  registry: string,
  store: Pick<Store, "registryFiles" | "commit">,
  logger: Logger,
): Remembered {
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
      logger.warn("what is known of the registry cannot be kept", { error: registryProblem(error).message });
    });
    return flushing;
  }
  function change(id: string, made: Change): void {
    changes.set(id, made);
    if (changes.size >= largestBatch) void flush();
  }

  return {
    async load() {
      const files = await store.registryFiles(registry);
      return new Map(files.map(({ id, record }) => [id, record]));
    },
    keep(entry) {
      const { id } = entry.candidate;
      const record = formatEntry(entry, version);
      if (record === undefined) change(id, { op: "registry_file.delete", registry, id });
      else change(id, { op: "registry_file.put", registry, file: { id, record } });
    },
    forget: (id) => change(id, { op: "registry_file.delete", registry, id }),
    flush,
  };
}
