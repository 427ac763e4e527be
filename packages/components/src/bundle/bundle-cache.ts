import { LRUCache } from "lru-cache";

import { sha256Hex } from "@x/model";
import type { Builder, Bundled, NeededPackages } from "../contract.ts";

/** Cache size in characters. */
const cachedChars = 32 * 1024 * 1024;

/** Caches builds of what was sent as text. Files on the disk are read again each time, because they may have changed. */
export function cacheBundles(builder: Builder): Builder {
  const cache = new LRUCache<string, Bundled | NeededPackages>({
    maxSize: cachedChars,
    sizeCalculation: (each) =>
      "needed" in each ? 1024 : each.bundle.length + each.code.length + each.sourceMap.length + 256,
  });
  return {
    ...builder,
    async build(input, packages) {
      if ("file" in input) return builder.build(input, packages);
      const code = "code" in input ? input.code : [input.entry, input.files];
      const hash = sha256Hex(JSON.stringify([code, packages?.conditions, packages?.installed?.key]));
      const known = cache.get(hash);
      if (known) return known;
      const built = await builder.build(input, packages);
      cache.set(hash, built);
      return built;
    },
  };
}
