import { type BigIntStats, statSync } from "node:fs";
import { dirname, join } from "node:path";

import { type Component, createMemory, type Memory, type Runtime } from "@x/runtime";

import { attempt } from "../attempt.ts";
import type { ComponentFile } from "./given.ts";

interface CacheEntry {
  /** Holds the saved component and nothing else. */
  readonly memory: Memory;
  readonly componentId: string;
  readonly files: readonly string[];
  /** Stamps of the files and their folders when the component was bundled. */
  readonly stamps: string;
}

/** Components of the tests in this process: bundled again only when one of their files changes. */
const entries = new Map<string, CacheEntry>();
const maxEntries = 50;
/** File times are coarse, in virtual machines up to 100 ms: a younger file may change without a change of its stamps. */
const settledMs = 200;

/** Undefined for most paths that were tried for an import: they do not exist, or are circular links. */
const findStats = (path: string): BigIntStats | undefined => attempt(() => statSync(path, { bigint: true }));

function stampsOf(files: readonly string[]): string {
  const paths = new Set(files.flatMap((file) => [file, dirname(file)]));
  return [...paths]
    .map((path) => {
      const found = findStats(path);
      return found ? `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}` : "none";
    })
    .join("\n");
}

/** The store that a source under test starts with. */
export interface CachedComponent {
  readonly memory: Memory;
  /** The saved component; saves it in the runtime when the cache does not have it. */
  component(runtime: Runtime): Promise<Component>;
}

/** Looks the component up in the cache. Sources with different `scope` share nothing. */
export function cachedComponent(file: ComponentFile, scope: string): CachedComponent {
  const key = JSON.stringify([scope, file]);
  const cached = entries.get(key);
  if (cached && stampsOf(cached.files) === cached.stamps)
    return { memory: cached.memory.copy(), component: (runtime) => runtime.component(cached.componentId) };
  const memory = createMemory();
  return {
    memory,
    async component(runtime) {
      let files: readonly string[] = [];
      const startMs = performance.timeOrigin + performance.now();
      const component = await runtime.saveComponent(file, (names, others, lookedUp) => {
        if ("file" in file) files = [...names, ...others, ...lookedUp].map((name) => join(file.root, name));
      });
      // A file this young may have changed after it was read.
      if (files.some((path) => Number(findStats(path)?.ctimeMs ?? 0) > startMs - settledMs)) return component;
      // Later tests begin with what is stored now.
      if ((await runtime.dataStores()).length > 0) return component;
      if (entries.size >= maxEntries) entries.delete([...entries.keys()][0] ?? "");
      entries.set(key, { memory: memory.copy(), componentId: component.id, files, stamps: stampsOf(files) });
      return component;
    },
  };
}
