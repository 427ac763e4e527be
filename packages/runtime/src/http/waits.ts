/** Runs of sources that wait for responses of runs of other sources. */
export interface Waits {
  /** Returns a function that ends the wait; undefined when `to` itself waits for `from`, so that the wait would never end. */
  begin(from: string, to: string): (() => void) | undefined;
}

/** A source has one run at a time, so a cycle of sources is a cycle of runs. */
export function createWaits(): Waits {
  const waiting = new Map<string, string[]>();

  function reaches(from: string, to: string): boolean {
    const seen = new Set([from]);
    for (const each of seen) {
      if (each === to) return true;
      for (const next of waiting.get(each) ?? []) seen.add(next);
    }
    return false;
  }

  return {
    begin(from, to) {
      if (reaches(to, from)) return undefined;
      waiting.set(from, [...(waiting.get(from) ?? []), to]);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = waiting.get(from) ?? [];
        left.splice(left.indexOf(to), 1);
        if (left.length === 0) waiting.delete(from);
      };
    },
  };
}
