import { LRUCache } from "lru-cache";

import type { Description, Sandbox } from "./contract.ts";

const keptChars = 16 * 1024 * 1024;

/** Describes each bundle once: what a module says of itself follows from its text. Failures are tried again. */
export function keepDescriptions(sandbox: Sandbox): Sandbox {
  const kept = new LRUCache<string, Description & { readonly ok: true }>({
    maxSize: keptChars,
    sizeCalculation: ({ json }) => json.length + 64,
  });
  return {
    ...sandbox,
    async describe(bundle, limits) {
      const known = kept.get(bundle.hash);
      if (known) return known;
      const description = await sandbox.describe(bundle, limits);
      if (description.ok) kept.set(bundle.hash, description);
      return description;
    },
  };
}
