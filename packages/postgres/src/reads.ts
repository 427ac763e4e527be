import type { Store } from "@x/runtime/store";

/** The methods of a store that only read. */
export type Reads = Omit<
  Store,
  "failed" | "cluster" | "commit" | "commitStats" | "close" | "recoverTriggers" | "recoverTransitions" | "sweep"
>;
