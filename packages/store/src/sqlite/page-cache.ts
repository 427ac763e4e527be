import type { DatabaseSync } from "node:sqlite";

import { systemClock } from "@x/model";

/** The cached pages of a connection. */
export interface PageCache {
  /** To be called with each use of the connection. */
  used(): void;
  /** To be called before the connection is closed. */
  stop(): void;
}

const restMs = 10_000;

/**
 * Frees the cached pages of a connection ten seconds after a use. They are small pieces all over the allocator's pool, which
 * only returns to the system what lies above the last piece in use. What is needed again comes from the cache of the system.
 */
export function createPageCache(database: Pick<DatabaseSync, "exec">): PageCache {
  let cancel: (() => void) | undefined;
  const shrink = (): void => {
    cancel = undefined;
    database.exec("PRAGMA shrink_memory");
  };
  return {
    used() {
      cancel ??= systemClock.wakeAt(systemClock.now() + restMs, shrink);
    },
    stop: () => cancel?.(),
  };
}
