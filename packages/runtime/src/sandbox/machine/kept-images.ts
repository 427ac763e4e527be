import { LRUCache } from "lru-cache";

import type { Image } from "./image.ts";

/** Images by the hash of their bundle, those that were used last, up to so many bytes. */
export const keepImages = (maxBytes: number): LRUCache<string, Image> =>
  new LRUCache({ maxSize: maxBytes, sizeCalculation: (image) => image.bytes.byteLength + 1024 });
