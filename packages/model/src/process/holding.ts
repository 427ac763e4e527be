/** Which sources this runtime runs: with several nodes on one store, each source belongs to one of them. */
export interface Holding {
  /** False for sources of other nodes, and for those that are being handed over to one. */
  isHeld(sourceId: string): boolean;
  /** True for held sources, and for one that is being handed over while a client waits for a run of it. */
  mayRun(sourceId: string): boolean;
}

/** Without other nodes. */
export const everySource: Holding = { isHeld: () => true, mayRun: () => true };
