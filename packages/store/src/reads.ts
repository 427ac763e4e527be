import type { Store } from "./contract.ts";

/** The methods of a store that only read. */
export type StoreReads = Omit<
  Store,
  "failed" | "cluster" | "commit" | "commitStats" | "close" | "recoverTriggers" | "recoverTransitions" | "sweep"
>;

/** The same methods without promises: a store reads on the caller's thread. */
export type SyncReads = {
  readonly [name in keyof StoreReads]: (
    ...values: Parameters<StoreReads[name]>
  ) => Awaited<ReturnType<StoreReads[name]>>;
};

/** Makes every read return a promise. `guard` runs the read; `what` is its name in words, such as "source by endpoint". */
export function asyncReads(reads: SyncReads, guard: <T>(what: string, read: () => T) => T): StoreReads {
  const wrapped = Object.entries(reads).map(([name, read]) => {
    const what = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const call = read as (...values: unknown[]) => unknown;
    return [name, async (...values: unknown[]) => guard(what, () => call(...values))] as const;
  });
  return Object.fromEntries(wrapped) as unknown as StoreReads;
}
