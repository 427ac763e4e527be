import { LRUCache } from "lru-cache";

import type { Description, Sandbox } from "./contract.ts";

const maxChars = 16 * 1024 * 1024;

/** Describes each bundle once, because a description depends only on the text. Failures are not cached. */
export function cacheDescriptions(sandbox: Sandbox): Sandbox {
  const cache = new LRUCache<string, Description & { readonly ok: true }>({
    maxSize: maxChars,
    sizeCalculation: ({ json }) => json.length + 64,
  });
  return {
    ...sandbox,
    async describe(bundle, limits) {
      const cached = cache.get(bundle.hash);
      if (cached) return cached;
      const description = await sandbox.describe(bundle, limits);
      if (description.ok) cache.set(bundle.hash, description);
      return description;
    },
  };
}
