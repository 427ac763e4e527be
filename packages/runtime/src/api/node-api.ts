/** One of the processes that share a store. */
export interface NodeView {
  readonly id: string;
  /** When it began, epoch ms. */
  readonly since: number;
  /** Sources and workflows that it runs. */
  readonly sources: number;
  /** Of the 1,024 slots that sources are divided into. */
  readonly slots: number;
  /** Triggers that wait for their runs. */
  readonly queueDepth: number;
  /** How late its last sign of life is, in ms. */
  readonly lagMs: number;
  /** True for the node that answers. */
  readonly isSelf: boolean;
}

/** The same program on the other nodes of a store: for what it keeps in memory itself. */
export interface Peers {
  /** Tells all other nodes; resolves with their answers when each has handled it or is gone. */
  tell(kind: string, given: unknown): Promise<readonly unknown[]>;
  /** Sets how this node handles what others tell. */
  onTold(kind: string, handle: (given: unknown) => Promise<unknown>): void;
}
