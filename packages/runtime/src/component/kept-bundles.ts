import { LRUCache } from "lru-cache";

import { sha256Hex } from "../ids.ts";
import type { Bundled, Bundler } from "./contract.ts";

const keptChars = 32 * 1024 * 1024;

/** Bundles each text once; files are read anew each time, because they may have changed. */
export function keepBundles(bundler: Bundler): Bundler {
  const kept = new LRUCache<string, Bundled>({
    maxSize: keptChars,
    sizeCalculation: ({ bundle, code, sourceMap }) => bundle.length + code.length + sourceMap.length + 256,
  });
  return {
    ...bundler,
    async bundle(input) {
      if (!("code" in input)) return bundler.bundle(input);
      const hash = sha256Hex(input.code);
      const known = kept.get(hash);
      if (known) return known;
      const bundled = await bundler.bundle(input);
      kept.set(hash, bundled);
      return bundled;
    },
  };
}
