import type { RegistryItem } from "../api.ts";
import type { Logger } from "../options.ts";

/** What a registry has, by key; tells the log about every change. */
export interface Catalog {
  idOf(key: string): string | undefined;
  readonly items: readonly RegistryItem[];
  /** One more, before all are known. */
  add(item: RegistryItem): void;
  /** All there are now. The first with a key has it, which is the problem of the others. */
  replace(items: readonly RegistryItem[]): void;
  /** Resolves at the next change. */
  changed(): Promise<void>;
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
  /** As the log knows it. */
  let told: { byKey: Map<string, RegistryItem>; problems: ReadonlySet<string> } | undefined;
  let change = Promise.withResolvers<void>();

  const announce = (): void => {
    change.resolve();
    change = Promise.withResolvers();
  };

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

  return {
    idOf: (key) => byKey.get(key)?.componentId,
    get items() {
      return items;
    },
    add(item) {
      if (item.key === undefined || byKey.has(item.key)) return;
      byKey.set(item.key, item);
      announce();
    },
    replace(all) {
      ({ byKey, items } = settleKeys(all));
      tell();
      announce();
    },
    changed: () => change.promise,
  };
}
