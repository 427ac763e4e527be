export type { NodeView } from "@x/store";

/** The same program on the other nodes of a store: for what it keeps in memory itself. */
export interface Peers {
  /** Tells all other nodes; resolves with their answers when each has handled it or is gone. */
  tell(kind: string, given: unknown): Promise<readonly unknown[]>;
  /** Sets how this node handles what others tell. */
  onTold(kind: string, handle: (given: unknown) => Promise<unknown>): void;
}
