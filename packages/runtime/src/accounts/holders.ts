import type { NamedSource } from "./account-use.ts";

/** Sources that are being deployed or updated, by the accounts they will use. */
export interface Holders {
  /** Until the returned function is called. */
  hold(accountId: string, source: NamedSource): () => void;
  of(accountId: string): readonly NamedSource[];
}

export function createHolders(): Holders {
  const holders = new Map<string, Set<NamedSource>>();
  return {
    hold(id, source) {
      const held = holders.get(id) ?? new Set();
      // An object of its own: two changes of one source count twice.
      const holder = { id: source.id, name: source.name };
      holders.set(id, held.add(holder));
      return () => {
        held.delete(holder);
        if (held.size === 0 && holders.get(id) === held) holders.delete(id);
      };
    },
    of: (id) => [...(holders.get(id) ?? [])],
  };
}
