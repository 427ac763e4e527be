import { LRUCache } from "lru-cache";

import { XError, type Component, type ComponentTexts } from "@x/model";
import type { Store } from "./contract.ts";

/** A cache of the texts of components, by hash. */
export interface Texts {
  /** Reads a text that is not in the cache. Rejects with `not_found` when there is no such text. */
  get(hash: string): string | Promise<string>;
  /** Makes the texts of an unsaved component available until the result is disposed of. */
  holdUnsaved(component: Pick<Component, "texts">, texts: ComponentTexts): Disposable;
}

const cacheChars = 64 * 1024 * 1024;

interface Held {
  readonly text: string;
  holders: number;
}

export function createTexts(store: Pick<Store, "text">): Texts {
  const cache = new LRUCache<string, string>({ maxSize: cacheChars, sizeCalculation: (text) => text.length + 256 });
  const unsaved = new Map<string, Held>();

  async function read(hash: string): Promise<string> {
    const text = await store.text(hash);
    if (text === undefined) throw new XError("not_found", ["text", hash]);
    cache.set(hash, text);
    return text;
  }

  return {
    get: (hash) => cache.get(hash) ?? unsaved.get(hash)?.text ?? read(hash),
    holdUnsaved({ texts: hashes }, texts) {
      const pairs = [
        [hashes.code, texts.code],
        [hashes.bundle, texts.bundle],
        [hashes.sourceMap, texts.sourceMap],
      ] as const;
      for (const [hash, text] of pairs) {
        const held = unsaved.get(hash) ?? { text, holders: 0 };
        unsaved.set(hash, held);
        held.holders += 1;
      }
      return {
        [Symbol.dispose]() {
          for (const [hash] of pairs) {
            const held = unsaved.get(hash);
            if (held && (held.holders -= 1) === 0) unsaved.delete(hash);
          }
        },
      };
    },
  };
}
