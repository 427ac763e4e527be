/** Returns what a thread has not needed for a while. */
export interface Rest<Key> {
  /** The thread used this. */
  used(key: Key): void;
}

export interface RestParts<Key> {
  /** Calls `work` once, later; does not keep the thread alive. */
  later(work: () => void): void;
  /** Whether calls are under way. */
  isBusy(): boolean;
  /** Lets go of everything but what was used since the last time. False: nothing is left to let go of. */
  release(used: ReadonlySet<Key>): boolean;
  /** Collects garbage. */
  collect(): void;
}

/** Looks at the thread from its first use until there is nothing to let go of: an idle thread does not wake up. */
export function createRest<Key>({ later, isBusy, release, collect }: RestParts<Key>): Rest<Key> {
  let used = new Set<Key>();
  let isWaiting = false;

  function look(): void {
    const isLeft = release(used);
    if (used.size === 0 && !isBusy()) collect();
    isWaiting = isLeft || used.size > 0 || isBusy();
    used = new Set();
    if (isWaiting) later(look);
  }

  return {
    used(key) {
      used.add(key);
      if (isWaiting) return;
      isWaiting = true;
      later(look);
    },
  };
}
