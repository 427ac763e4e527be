import { LRUCache } from "lru-cache";

import { sha256Hex } from "../../process/sha256.ts";
import type { Builder, Bundled, NeededPackages } from "../contract.ts";

const keptChars = 32 * 1024 * 1024;

/** Builds each text once with the same packages; files are read anew each time, because they may have changed. */
export function keepBundles(builder: Builder): Builder {
  const kept = new LRUCache<string, Bundled | NeededPackages>({
    maxSize: keptChars,
    sizeCalculation: (each) =>
      "needed" in each ? 1024 : each.bundle.length + each.code.length + each.sourceMap.length + 256,
  });
  return {
    ...builder,
    async build(input, packages) {
      if (!("code" in input)) return builder.build(input, packages);
      const hash = sha256Hex(JSON.stringify([input.code, packages?.conditions, packages?.installed?.key]));
      const known = kept.get(hash);
      if (known) return known;
      const built = await builder.build(input, packages);
      kept.set(hash, built);
      return built;
    },
  };
}
