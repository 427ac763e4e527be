import type { RegistryItem } from "../api/api.ts";
import { XError } from "../model/errors.ts";
import type { Logger } from "../api/options.ts";
import type { Unserved } from "./problem.ts";

/** What a registry has, by key; tells the log about every change. */
export interface Catalog {
  idOf(key: string): string | undefined;
  /** What keeps the component of that key from being served. */
  failureOf(key: string): XError | undefined;
  readonly items: readonly RegistryItem[];
  /** One more, before all are known. */
  add(item: RegistryItem): void;
  /** One more that cannot be served, before all are known. */
  fail(unserved: Unserved): void;
  /** All there are now. The first with a key has it, which is the problem of the others. */
  replace(items: readonly RegistryItem[], unserved?: readonly Unserved[]): void;
}

/** Which item has a key: the first. The others come back with that as their problem. */
function settleKeys(given: readonly RegistryItem[]): { byKey: Map<string, RegistryItem>; items: RegistryItem[] } {
  const byKey = new Map<string, RegistryItem>();
  const items = given.map((item): RegistryItem => {
    const { key, file } = item;
    if (key === undefined) return item;
    const first = byKey.get(key);
    if (first) {
      const message = `Key "${key}" is taken by ${first.file}; this file is left out.`;
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
  /** As the log knows it. */
  let told: { byKey: Map<string, RegistryItem>; problems: ReadonlySet<string> } | undefined;

  function tell(): void {
    const problems = new Set<string>();
    for (const { file, key, problem } of items) {
      if (!problem) continue;
      const line = [file, problem.code, problem.message].join(" ");
      problems.add(line);
      if (told?.problems.has(line)) continue;
      const { code, message: error } = problem;
      const text = key === undefined ? "a file of the registry is left out" : "the registry keeps the version before";
      logger.warn(text, { file, code, error });
    }
    if (!told) logger.info("the registry is read", { ...details, components: byKey.size });
    else {
      for (const [key, { componentId, version, file }] of byKey) {
        const isKnown = told.byKey.get(key)?.componentId === componentId;
        if (!isKnown) logger.info("the registry has a new component", { key, version, file });
      }
      for (const key of told.byKey.keys()) if (!byKey.has(key)) logger.info("the registry lost a component", { key });
    }
    told = { byKey: new Map(byKey), problems };
  }

  const idOf = (key: string): string | undefined => byKey.get(key)?.componentId;

  return {
    idOf,
    failureOf: (key) => failures.get(key),
    get items() {
      return items;
    },
    add(item) {
      if (item.key === undefined || byKey.has(item.key)) return;
      byKey.set(item.key, item);
      failures.delete(item.key);
    },
    fail({ key, error }) {
      if (!byKey.has(key)) failures.set(key, error);
    },
    replace(all, unserved = []) {
      ({ byKey, items } = settleKeys(all));
      failures = new Map(unserved.map(({ key, error }) => [key, error]));
      tell();
    },
  };
}

/** What is still to be read. */
interface Unread {
  mayHave(key: string): Promise<void>;
  readonly total: number;
  readonly left: number;
}

const stillRead = (key: string, why: string): XError =>
  new XError("not_found", ["component", key, why], { details: { reason: "registry_is_read" } });

/**
 * The id of the component with this key, or why there is none; waits only for what may have it. `unread`: what is still to be
 * read; "listing" while that is not known.
 */
export async function findKey(
  key: string,
  catalog: Catalog,
  unread: Unread | "listing" | undefined,
): Promise<string | undefined> {
  if (unread !== "listing" && catalog.idOf(key) === undefined) await unread?.mayHave(key);
  const id = catalog.idOf(key);
  if (id !== undefined) return id;
  const failure = catalog.failureOf(key);
  if (failure) throw failure;
  if (unread === "listing") throw stillRead(key, "the folders of the registry are still being listed");
  if (!unread || unread.left === 0) return undefined;
  throw stillRead(key, `the registry is still being read, ${unread.total - unread.left} of ${unread.total} files`);
}
