import { LRUCache } from "lru-cache";

import { systemClock } from "../../process/clock.ts";
import type { Query } from "./query.ts";

/** Payloads that several rows share. */
export interface PayloadCache {
  /** Undefined: the last of its rows was deleted. */
  read(emitId: string): string | undefined;
  /** To be called before the connection is closed. */
  stop(): void;
}

const mostChars = 16 * 1024 * 1024;
const restMs = 10_000;

/**
 * Reads each payload once for the rows that share it: the listeners of an event get it one after another, and reading
 * megabytes takes milliseconds. Forgets all of them ten seconds after the first one was read.
 */
export function createPayloadCache(query: Pick<Query, "one">): PayloadCache {
  const payloads = new LRUCache<string, string>({ maxSize: mostChars, sizeCalculation: ({ length }) => length });
  let cancel: (() => void) | undefined;
  const forget = (): void => {
    cancel = undefined;
    payloads.clear();
  };
  return {
    read(emitId) {
      const known = payloads.get(emitId);
      if (known !== undefined) return known;
      const row = query.one<{ payload: string }>("SELECT payload FROM shared_payload WHERE emit_id = ?", emitId);
      if (!row) return undefined;
      payloads.set(emitId, row.payload);
      cancel ??= systemClock.wakeAt(systemClock.now() + restMs, forget);
      return row.payload;
    },
    stop: () => cancel?.(),
  };
}
