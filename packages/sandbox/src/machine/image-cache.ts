import { LRUCache } from "lru-cache";

/** A cache of images by the hash of their bundle. */
export interface ImageCache<Image> {
  get(hash: string): Image | undefined;
  /** The image of a bundle that runs. */
  set(hash: string, image: Image): void;
  /** The image of a bundle that was only described; until it runs it evicts no image of one that does. */
  setDescribed(hash: string, image: Image): void;
}

/** The share of images that were only described. */
const describedShare = 1 / 8;
/** Of an image's entry, without its memory. */
const recordBytes = 1024;

/** A cache of the most recently used images, up to `maxBytes`. `bytesOf` measures an image. */
export function createImageCache<Image extends object>(
  maxBytes: number,
  bytesOf: (image: Image) => number,
): ImageCache<Image> {
  const cache = (maxSize: number): LRUCache<string, Image> =>
    new LRUCache({ maxSize, sizeCalculation: (image) => bytesOf(image) + recordBytes });
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
