/** Which source's run waits for an answer that a run of another source gives. */
export interface Waits {
  /** Gives what ends the wait; undefined when the wait would never end, for the answer itself waits for `from`. */
  begin(from: string, to: string): (() => void) | undefined;
}

/** One run of a source at a time, so a circle of sources is a circle of runs. */
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
