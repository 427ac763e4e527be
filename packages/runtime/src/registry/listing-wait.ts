import { systemClock } from "../process/clock.ts";

/** How long a folder is being listed; in a large one nobody waits for the end of that. */
export interface ListingWait {
  /** One more folder is being listed. */
  count(): void;
  /** Resolves when it is plain that the listing takes long; never, when it is short. */
  readonly isLong: Promise<void>;
  /** The listing is over. */
  end(): void;
}

/** Fewer are listed at once, however busy the machine. */
const manyFolders = 500;
const longestWaitMs = 1_000;

export function createListingWait(): ListingWait {
  const long = Promise.withResolvers<void>();
  let folders = 0;
  let cancel: (() => void) | undefined;
  return {
    count() {
      folders += 1;
      // Real time: files are not listed by a clock that is moved by hand.
      if (folders === manyFolders) cancel = systemClock.wakeAt(systemClock.now() + longestWaitMs, long.resolve);
    },
    isLong: long.promise,
    end: () => cancel?.(),
  };
}
