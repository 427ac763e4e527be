import type { AutoSubscription, QueuedDelivery, Subscription, Webhook } from "../../model/listener-model.ts";
import type {
  Account,
  Component,
  DedupeState,
  EventId,
  Source,
  StoredEvent,
  StreamKind,
  Trigger,
  User,
} from "../../model/model.ts";
import type { Sealing, StoredTimer, StoredTransition, Usage } from "../contract.ts";

/** A value with its place in the order of insertion. */
export interface Placed<T> {
  readonly value: T;
  readonly place: number;
}

/** What the memory store holds. */
export interface Tables {
  /** Counts insertions; never goes back. */
  lastPlace: number;
  readonly users: Map<string, Placed<User>>;
  /** By user id: the API key, or what stands for it. */
  readonly userKeys: Map<string, string>;
  readonly components: Map<string, Placed<Component>>;
  /** Of components, by hash. */
  readonly texts: Map<string, string>;
  /** By registry, then by id: JSON text. */
  readonly registryFiles: Map<string, Map<string, string>>;
  readonly sources: Map<string, Placed<Source>>;
  /** Also of deleted sources, webhooks and accounts, for their cursors; by `placeKey`. */
  readonly sourcePlaces: Map<string, number>;
  readonly endpoints: Map<string, string>;
  readonly db: Map<string, Map<string, string>>;
  /** When each key was last set. */
  readonly dbTimes: Map<string, Map<string, number>>;
  readonly dedupe: Map<string, Map<string, DedupeState>>;
  readonly heads: Map<string, Map<StreamKind, EventId>>;
  /** By `streamKey`, oldest first. */
  readonly events: Map<string, StoredEvent[]>;
  readonly triggers: Map<string, Placed<Trigger> & { readonly running: boolean }>;
  /** By source. */
  readonly transitions: Map<string, StoredTransition>;
  readonly timers: Map<string, StoredTimer>;
  /** By user id, a space and the day. */
  readonly usage: Map<string, Usage>;
  readonly subscriptions: Map<string, Placed<Subscription>>;
  readonly autoSubscriptions: Map<string, Placed<AutoSubscription>>;
  readonly webhooks: Map<string, Placed<Webhook>>;
  readonly deliveries: Map<string, Placed<QueuedDelivery>>;
  readonly accounts: Map<string, Placed<Account>>;
  sealing: Sealing | undefined;
}

export const createTables = (): Tables => ({
  lastPlace: 0,
  users: new Map(),
  userKeys: new Map(),
  components: new Map(),
  texts: new Map(),
  registryFiles: new Map(),
  sources: new Map(),
  sourcePlaces: new Map(),
  endpoints: new Map(),
  db: new Map(),
  dbTimes: new Map(),
  dedupe: new Map(),
  heads: new Map(),
  events: new Map(),
  triggers: new Map(),
  transitions: new Map(),
  timers: new Map(),
  usage: new Map(),
  subscriptions: new Map(),
  autoSubscriptions: new Map(),
  webhooks: new Map(),
  deliveries: new Map(),
  accounts: new Map(),
  sealing: undefined,
});

/** Key of one stream of one emitter. */
export const streamKey = (emitterId: string, stream: StreamKind): string => `${emitterId} ${stream}`;

/** Key of one item's place: only its user's cursors have it. */
export const placeKey = (userId: string, id: string): string => `${userId} ${id}`;

/** The same records in tables of their own; records are never changed in place. */
export const copyTables = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [
      name,
      table instanceof Map
        ? new Map([...(table as Map<string, unknown>)].map(([key, row]) => [key, copyRow(row)]))
        : table,
    ]),
  ) as unknown as Tables;

const copyRow = (row: unknown): unknown =>
  row instanceof Map ? new Map(row) : Array.isArray(row) ? [...(row as unknown[])] : row;
