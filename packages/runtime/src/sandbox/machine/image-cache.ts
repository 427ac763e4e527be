import { LRUCache } from "lru-cache";

import type { Image } from "./image.ts";

/** A cache of images by the hash of their bundle. */
export interface ImageCache {
  get(hash: string): Image | undefined;
  /** The image of a bundle that runs. */
  set(hash: string, image: Image): void;
  /** The image of a bundle that was only described; until it runs it evicts no image of one that does. */
  setDescribed(hash: string, image: Image): void;
}

/** The share of images that were only described. */
const describedShare = 1 / 8;

/** A cache of the most recently used images, up to `maxBytes`. */
export function createImageCache(maxBytes: number): ImageCache {
  const cache = (maxSize: number): LRUCache<string, Image> =>
    new LRUCache({ maxSize, sizeCalculation: (image) => image.bytes.byteLength + 1024 });
  const used = cache(maxBytes * (1 - describedShare));
  const described = cache(maxBytes * describedShare);

  function set(hash: string, image: Image): void {
    described.delete(hash);
    used.set(hash, image);
  }

  return {
    get(hash) {
      const known = used.get(hash);
      if (known) return known;
      const found = described.get(hash);
      if (found) set(hash, found);
      return found;
    },
    set,
    setDescribed(hash, image) {
      if (used.has(hash)) used.set(hash, image);
      else described.set(hash, image);
    },
  };
}
