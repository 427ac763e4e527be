import type { EventId, StreamKind, TriggerHead } from "@x/model";

/** A set of the 1,024 slots that sources hash to. */
export interface Slots {
  readonly list: readonly number[];
  has(id: string): boolean;
}

/** New events of one stream, from `first` on. */
export interface Emitted {
  readonly emitterId: string;
  readonly stream: StreamKind;
  readonly first: EventId;
}

/** What a node does for its cluster. */
export interface ClusterHandlers {
  /** These slots belong to this node now: recover and run their work. */
  gained(slots: Slots): Promise<void>;
  /** Stop and drain the work of these slots; `owns` is false for them already. When it resolves they are given away. */
  losing(slots: Slots): Promise<void>;
  /** The slots of this node whose sources have run lately. */
  usedSlots(): ReadonlySet<number>;
  /** Answers what another node asks about a source of this node. `id` of the message, for effects that must happen once. */
  asked(message: { readonly id: string; readonly kind: string; readonly body: Uint8Array }): Promise<Uint8Array>;
  /**
   * Applies what another node tells all; undefined answers with nothing. Kind `lost`, of this node itself: another node died, or
   * this one had no connection, so that something may not have been told.
   */
  told(kind: string, body: Uint8Array): Promise<Uint8Array | undefined>;
  /** Triggers that other nodes stored for sources of this node. */
  triggered(heads: readonly TriggerHead[]): void;
  /** Events that other nodes committed; undefined: some, of unknown emitters. */
  emitted(events: readonly Emitted[] | undefined): void;
  /** For `nodes()` of others: shown in NodeView. */
  stats(): { readonly queueDepth: number };
}

/** The nodes of one store. */
export interface Cluster {
  readonly nodeId: string;
  /** True when this node is the owner of the source with this id. */
  owns(id: string): boolean;
  /** True while other nodes live. */
  readonly hasOthers: boolean;
  /** Begins to get slots and messages. */
  join(handlers: ClusterHandlers): Promise<void>;
  /** Hands everything over. */
  leave(): Promise<void>;
  /** Asks the owner of this id. Rejects with `store_unavailable` when no answer can come. */
  ask(id: string, kind: string, body: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>;
  /** Tells every other node; resolves with the answers when each has handled it or is dead. */
  tellAll(kind: string, body: Uint8Array): Promise<readonly Uint8Array[]>;
  nodes(): Promise<readonly NodeView[]>;
}

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
