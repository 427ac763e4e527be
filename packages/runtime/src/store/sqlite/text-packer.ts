import type { DatabaseSync } from "node:sqlite";

import { LRUCache } from "lru-cache";

import { bytesOf, packText, unpackText, type BaseText } from "./packed-text.ts";

/** The row of a text; of one that differs from another without its family, for it is no base itself. */
export type TextRow = readonly [hash: string, family: string | null, data: Uint8Array];

/** Packs texts for the table of an open database. */
export interface TextPacker {
  /** Undefined: it is there. */
  pack(hash: string, family: string | null, text: string): TextRow | undefined;
}

const keptBytes = 32 * 1024 * 1024;
/** What is much shorter than the text itself is taken without a look at how short it would be without a base. */
const plainlyShort = 8;

export function createTextPacker(database: DatabaseSync): TextPacker {
  const findHash = database.prepare("SELECT 1 FROM text WHERE hash = ?");
  const newest = database.prepare("SELECT hash, data FROM text WHERE family = ? ORDER BY place DESC LIMIT 1");
  const bases = new LRUCache<string, BaseText>({
    maxSize: keptBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
  });
  const noBase = (hash: string): never => {
    throw new Error(`text ${hash} is no base`);
  };

  function baseOf(family: string): BaseText | undefined {
    const row = newest.get(family) as { hash: string; data: Uint8Array } | undefined;
    if (!row) return undefined;
    const known = bases.get(row.hash);
    if (known) return known;
    const base = { hash: row.hash, bytes: bytesOf(unpackText(row.data, noBase)).bytes };
    bases.set(row.hash, base);
    return base;
  }

  return {
    pack(hash, family, text) {
      if (findHash.get(hash)) return undefined;
      const base = family === null ? undefined : baseOf(family);
      const short = base && packText(text, base);
      if (short && short.length * plainlyShort < text.length) return [hash, null, short];
      const plain = packText(text);
      return short && short.length * 2 < plain.length ? [hash, null, short] : [hash, family, plain];
    },
  };
}
