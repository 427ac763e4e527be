import { LRUCache } from "lru-cache";

import { disk } from "./disk.ts";
import { createResolveFile, type PackageConditions, type ResolveFile } from "./package-resolver.ts";

const cachedTrees = 16;
const cachedChars = 8 * 1024 * 1024;

/** A cache for folders that never change: results of imports, and prepared code. */
export interface PackageTrees {
  resolver(folder: string, conditions: PackageConditions): ResolveFile;
  /** The code of a file in such a folder, prepared once. */
  code(path: string, prepare: () => Promise<string>): Promise<string>;
}

export function createPackageTrees(): PackageTrees {
  const resolvers = new LRUCache<string, ResolveFile>({ max: cachedTrees });
  const codes = new LRUCache<string, string>({ maxSize: cachedChars, sizeCalculation: (text) => text.length + 256 });
  return {
    resolver(folder, conditions) {
      const id = `${conditions} ${folder}`;
      const known = resolvers.get(id);
      if (known) return known;
      const resolve = cacheResults(createResolveFile(disk, conditions, folder));
      resolvers.set(id, resolve);
      return resolve;
    },
    async code(path, prepare) {
      const known = codes.get(path);
      if (known !== undefined) return known;
      const text = await prepare();
      codes.set(path, text);
      return text;
    },
  };
}

function cacheResults(resolve: ResolveFile): ResolveFile {
  const results = new Map<string, { readonly found: string | false } | { readonly error: unknown }>();
  return (form, folder, specifier) => {
    const id = `${form}\n${folder}\n${specifier}`;
    let result = results.get(id);
    if (!result) {
      try {
        result = { found: resolve(form, folder, specifier) };
      } catch (error) {
        result = { error };
      }
      results.set(id, result);
    }
    if ("error" in result) throw result.error;
    return result.found;
  };
}
