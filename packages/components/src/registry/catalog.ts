import type { RegistryItem } from "./contract.ts";
import { XError, type Logger } from "@x/model";
import type { KeyFailure } from "./problem.ts";

/** The components of a registry by key. Logs every change. */
export interface Catalog {
  idOf(key: string): string | undefined;
  /** Why the component with this key cannot be served. */
  failureOf(key: string): XError | undefined;
  readonly items: readonly RegistryItem[];
  /** Adds one item while the registry is still being read. */
  add(item: RegistryItem): void;
  /** Adds a component that cannot be served while the registry is still being read. */
  fail(failure: KeyFailure): void;
  /**
   * Replaces all items. The first item with a key keeps it; the others get the problem `key_conflict`. `isComplete`: all are
   * evaluated, so what has changed is logged; default true.
   */
  replace(items: readonly RegistryItem[], failures?: readonly KeyFailure[], isComplete?: boolean): void;
}

/** Gives each key to the first item that has it. The others get the problem `key_conflict`. */
function assignKeys(given: readonly RegistryItem[]): { byKey: Map<string, RegistryItem>; items: RegistryItem[] } {
  const byKey = new Map<string, RegistryItem>();
  const items = given.map((item): RegistryItem => {
    const { key, file } = item;
    if (key === undefined) return item;
    const first = byKey.get(key);
    if (first) {
      const message = `Key "${key}" is taken by ${first.file}; this file is skipped.`;
      return { file, problem: item.problem ?? { code: "key_conflict", message } };
    }
    byKey.set(key, item);
    return item;
  });
  return { byKey, items };
}

export function createCatalog(logger: Logger, details: { readonly [name: string]: string }): Catalog {
  let items: readonly RegistryItem[] = [];
  let byKey = new Map<string, RegistryItem>();
  let failures = new Map<string, XError>();
  /** What has been logged. */
  let logged: { byKey: Map<string, RegistryItem>; problems: ReadonlySet<string> } | undefined;

  function logChanges(): void {
    const problems = new Set<string>();
    for (const { file, key, problem } of items) {
      if (!problem) continue;
      const line = [file, problem.code, problem.message].join(" ");
      problems.add(line);
      if (logged?.problems.has(line)) continue;
      const { code, message: error } = problem;
      const text = key === undefined ? "a file of the registry is skipped" : "the registry keeps the previous version";
      logger.warn(text, { file, code, error });
    }
    if (!logged) logger.info("the registry is loaded", { ...details, components: byKey.size });
    else {
      for (const [key, { componentId, version, file }] of byKey) {
        const isKnown = logged.byKey.get(key)?.componentId === componentId;
        if (!isKnown) logger.info("the registry has a new component", { key, version, file });
      }
      for (const key of logged.byKey.keys())
        if (!byKey.has(key)) logger.info("the registry no longer has a component", { key });
    }
    logged = { byKey: new Map(byKey), problems };
  }

  const idOf = (key: string): string | undefined => byKey.get(key)?.componentId;

  return {
    idOf,
    failureOf: (key) => failures.get(key),
    get items() {
      return items;
    },
    add(item) {
      if (item.key === undefined || (byKey.get(item.key) ?? item).file !== item.file) return;
      byKey.set(item.key, item);
      failures.delete(item.key);
    },
    fail({ key, error }) {
      if (!byKey.has(key)) failures.set(key, error);
    },
    replace(all, failed = [], isComplete = true) {
      ({ byKey, items } = assignKeys(all));
      failures = new Map(failed.map(({ key, error }) => [key, error]));
      if (isComplete) logChanges();
    },
  };
}

const notReadYet = (key: string, why: string): XError =>
  new XError("not_found", ["component", key, why], { details: { reason: "registry_is_read" } });

/** Files that are still to be read. */
export interface UnreadFiles {
  /** Reads the files that may have a key; resolves to false when they take longer than `waitMs`. */
  readFirst(key: string, waitMs: number | undefined): Promise<boolean>;
  /** Files that may have any key. */
  readonly left: number;
  readonly total: number;
}

/**
 * The id of the component with this key; undefined when there is none. Waits only for files that may have the key.
 * `unread`: the files that are still to be read; "listing" while they are not known. Rejects with the reason why the
 * component cannot be served, and with `not_found` while other files are still to be read.
 */
export async function findKey(
  key: string,
  catalog: Catalog,
  unread: UnreadFiles | "listing" | undefined,
  waitMs?: number,
): Promise<string | undefined> {
  const isWaitedFor = unread !== undefined && unread !== "listing" && catalog.idOf(key) === undefined;
  const isInTime = !isWaitedFor || (await unread.readFirst(key, waitMs));
  const id = catalog.idOf(key);
  if (id !== undefined) return id;
  const failure = catalog.failureOf(key);
  if (failure) throw failure;
  if (unread === "listing") throw notReadYet(key, "the files of the registry are still being listed");
  if (!isInTime)
    throw notReadYet(key, "its file is still being bundled and evaluated, with the packages that it imports");
  if (!unread || unread.left === 0) return undefined;
  throw notReadYet(key, `the registry is still being read, ${unread.total - unread.left} of ${unread.total} files`);
}
