import { LRUCache } from "lru-cache";

import type { Image } from "./image.ts";

/** Images by the hash of their bundle. */
export interface KeptImages {
  get(hash: string): Image | undefined;
  /** The image of a bundle that runs. */
  set(hash: string, image: Image): void;
  /** The image of a bundle that was only looked at: until it runs it takes the place of no other that does. */
  offer(hash: string, image: Image): void;
}

/** Of all bytes, those of images that were only looked at. */
const offeredShare = 1 / 8;

/** Keeps the images that were used last, up to so many bytes. */
export function keepImages(maxBytes: number): KeptImages {
  const cache = (maxSize: number): LRUCache<string, Image> =>
    new LRUCache({ maxSize, sizeCalculation: (image) => image.bytes.byteLength + 1024 });
  const used = cache(maxBytes * (1 - offeredShare));
  const offered = cache(maxBytes * offeredShare);

  function set(hash: string, image: Image): void {
    offered.delete(hash);
    used.set(hash, image);
  }

  return {
    get(hash) {
      const known = used.get(hash);
      if (known) return known;
      const found = offered.get(hash);
      if (found) set(hash, found);
      return found;
    },
    set,
    offer(hash, image) {
      if (used.has(hash)) used.set(hash, image);
      else offered.set(hash, image);
    },
  };
}
