import { setImmediate as nextTurn } from "node:timers/promises";

import type { Declared } from "../declared/contract.ts";
import type { RegistryParts } from "./contract.ts";
import type { Entries } from "./entries.ts";
import { type Uses, usesOf } from "./module-graph.ts";
import { isApp } from "./names.ts";
import type { Candidate, Listing } from "./scan.ts";

/** Files of one request to the parsing process: a deploy waits for at most so many. */
const batchSize = 64;

/** What the texts of a folder's files say. */
export interface ParsedFiles {
  /** Parses the candidates, and apps that have changed. Stops early when the registry is closed. */
  parse(candidates: readonly Candidate[], listing: Listing, isClosed: () => boolean): Promise<void>;
  /** What each candidate uses, by its id, as of the last `parse`. */
  uses(): ReadonlyMap<string, Uses>;
}

export function createParsedFiles(entries: Entries, declare: RegistryParts["declare"]): ParsedFiles {
  const apps = new Map<string, { readonly stamp: string; readonly declared: Declared }>();
  let uses: ReadonlyMap<string, Uses> = new Map();

  async function parseApps(listing: Listing, isClosed: () => boolean): Promise<void> {
    for (const path of apps.keys()) if (!listing.stamps.has(path)) apps.delete(path);
    const changed = [...listing.stamps].filter(([path, stamp]) => isApp(path) && apps.get(path)?.stamp !== stamp);
    while (changed.length > 0 && !isClosed()) {
      const batch = changed.splice(0, batchSize);
      const found = await declare(batch.map(([path]) => path));
      for (const [index, [path, stamp]] of batch.entries()) {
        const declared = found[index];
        if (declared) apps.set(path, { stamp, declared });
      }
    }
  }

  async function findUses(listing: Listing): Promise<ReadonlyMap<string, Uses>> {
    const declared = new Map<string, Declared>();
    for (const [path, { declared: of }] of apps) declared.set(path, of);
    for (const { candidate, declared: of } of entries.all()) declared.set(candidate.file, of);
    const found = new Map<string, Uses>();
    for (const { candidate } of entries.all()) {
      found.set(candidate.id, usesOf(candidate.file, declared, listing));
      if (found.size % batchSize === 0) await nextTurn();
    }
    return found;
  }

  return {
    async parse(candidates, listing, isClosed) {
      const waiting = [...candidates];
      while (waiting.length > 0 && !isClosed()) {
        const batch = waiting.splice(0, batchSize);
        const found = await declare(batch.map(({ file }) => file));
        for (const [index, candidate] of batch.entries()) {
          const declared = found[index];
          if (declared) entries.declare(candidate, declared, listing);
        }
      }
      await parseApps(listing, isClosed);
      uses = await findUses(listing);
    },
    uses: () => uses,
  };
}
