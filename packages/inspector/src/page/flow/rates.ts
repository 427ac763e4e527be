const slotMs = 5_000;
const slots = 12;

/** Counts of the last minute by key. */
export interface Rates {
  add(key: string, count: number, at: number): void;
  /** How many there were in the minute before `now`. */
  perMinute(key: string, now: number): number;
}

/** Counts in slots of five seconds; what is older than a minute is forgotten. */
export function createRates(): Rates {
  const counts = new Map<string, { readonly values: number[]; slot: number }>();

  /** Empties the slots between the last count and `slot`. */
  function renewed(key: string, slot: number): number[] {
    const known = counts.get(key) ?? { values: Array.from({ length: slots }, () => 0), slot };
    for (let passed = known.slot + 1; passed <= Math.min(slot, known.slot + slots); passed += 1)
      known.values[passed % slots] = 0;
    known.slot = Math.max(known.slot, slot);
    counts.set(key, known);
    return known.values;
  }

  return {
    add(key, count, at) {
      const slot = Math.floor(at / slotMs);
      const values = renewed(key, slot);
      if (slot <= (counts.get(key)?.slot ?? 0) - slots) return;
      values[slot % slots] = (values[slot % slots] ?? 0) + count;
    },
    perMinute(key, now) {
      if (!counts.has(key)) return 0;
      return renewed(key, Math.floor(now / slotMs)).reduce((sum, value) => sum + value, 0);
    },
  };
}
