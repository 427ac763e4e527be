import { systemClock } from "@x/model";

/** Detects that listing a folder takes long: then requests do not wait for the end. */
export interface ListingWait {
  /** Counts a folder that is being listed. */
  count(): void;
  /** Resolves when the listing takes long; never resolves when it is short. */
  readonly isLong: Promise<void>;
  /** Ends the wait: the listing is complete. */
  end(): void;
}

/** Fewer folders take no noticeable time, even on a busy machine. */
const manyFolders = 500;
const longestWaitMs = 1_000;

export function createListingWait(): ListingWait {
  const long = Promise.withResolvers<void>();
  let folders = 0;
  let cancel: (() => void) | undefined;
  return {
    count() {
      folders += 1;
      // Real time: a manual clock does not affect the file system.
      if (folders === manyFolders) cancel = systemClock.wakeAt(systemClock.now() + longestWaitMs, long.resolve);
    },
    isLong: long.promise,
    end: () => cancel?.(),
  };
}
