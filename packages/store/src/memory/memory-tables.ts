import {
  XError,
  type Account,
  type AccountApp,
  type AccountIdentity,
  type AppEndpoint,
  type AppListener,
  type AutoSubscription,
  type Component,
  type DedupeState,
  type EventId,
  type ExecutionRecord,
  type Project,
  type QueuedDelivery,
  type RequestEntry,
  type Source,
  type StoredEvent,
  type StreamKind,
  type Subscription,
  type Trigger,
  type User,
  type Webhook,
} from "@x/model";
import type { Sealing, StoredTimer, StoredTransition, Usage } from "../contract.ts";
import type { DataStoreValue } from "../data-store-contract.ts";

/** A value with its position in the order of insertion. */
export interface Positioned<T> {
  readonly value: T;
  readonly position: number;
}

/** What the memory store holds. */
export interface Tables {
  /** Counts insertions; never decreases. */
  lastPosition: number;
  readonly users: Map<string, Positioned<User>>;
  /** By user id: the API key, or its index where keys are encrypted. */
  readonly userKeys: Map<string, string>;
  readonly components: Map<string, Positioned<Component>>;
  /** Texts of components by hash. */
  readonly texts: Map<string, string>;
  /** JSON text by registry and file id. */
  readonly registryFiles: Map<string, Map<string, string>>;
  readonly sources: Map<string, Positioned<Source>>;
  /** Positions of sources, webhooks and accounts by `positionKey`; those of deleted ones stay for their cursors. */
  readonly listPositions: Map<string, number>;
  readonly endpoints: Map<string, string>;
  readonly db: Map<string, Map<string, string>>;
  /** When each key was last set. */
  readonly dbTimes: Map<string, Map<string, number>>;
  /** By user id and name, with a space between them, and by key. */
  readonly dataStores: Map<string, Map<string, Omit<DataStoreValue, "key">>>;
  readonly dedupe: Map<string, Map<string, DedupeState>>;
  readonly heads: Map<string, Map<StreamKind, EventId>>;
  /** By `streamKey`, oldest first. */
  readonly events: Map<string, StoredEvent[]>;
  /** By source and id. */
  readonly executions: Map<string, Map<string, Positioned<ExecutionRecord>>>;
  readonly triggers: Map<string, Positioned<Trigger> & { readonly running: boolean }>;
  /** By source. */
  readonly transitions: Map<string, StoredTransition>;
  readonly timers: Map<string, StoredTimer>;
  /** By user id, a space and the day. */
  readonly usage: Map<string, Usage>;
  readonly subscriptions: Map<string, Positioned<Subscription>>;
  readonly autoSubscriptions: Map<string, Positioned<AutoSubscription>>;
  readonly webhooks: Map<string, Positioned<Webhook>>;
  readonly deliveries: Map<string, Positioned<QueuedDelivery>>;
  readonly accounts: Map<string, Positioned<Account>>;
  /** By user and name. */
  readonly projects: Map<string, Map<string, Project>>;
  /** By user id and slug, with a space between them. */
  readonly apps: Map<string, AccountApp>;
  /** By user id and slug, with a space between them. */
  readonly appEndpoints: Map<string, AppEndpoint>;
  /** By source. */
  readonly appListeners: Map<string, readonly AppListener[]>;
  /** By account. */
  readonly identities: Map<string, AccountIdentity>;
  /** Times by user id and slug, and by the id of the event, oldest first. */
  readonly appEvents: Map<string, Map<string, number>>;
  /** By owner, oldest first. */
  readonly requests: Map<string, readonly RequestEntry[]>;
  sealing: Sealing | undefined;
}

export const createTables = (): Tables => ({
  lastPosition: 0,
  users: new Map(),
  userKeys: new Map(),
  components: new Map(),
  texts: new Map(),
  registryFiles: new Map(),
  sources: new Map(),
  listPositions: new Map(),
  endpoints: new Map(),
  db: new Map(),
  dbTimes: new Map(),
  dataStores: new Map(),
  dedupe: new Map(),
  heads: new Map(),
  events: new Map(),
  executions: new Map(),
  triggers: new Map(),
  projects: new Map(),
  transitions: new Map(),
  timers: new Map(),
  usage: new Map(),
  subscriptions: new Map(),
  autoSubscriptions: new Map(),
  webhooks: new Map(),
  deliveries: new Map(),
  accounts: new Map(),
  apps: new Map(),
  appEndpoints: new Map(),
  appListeners: new Map(),
  identities: new Map(),
  appEvents: new Map(),
  requests: new Map(),
  sealing: undefined,
});

/** Key of one stream of one emitter. */
export const streamKey = (emitterId: string, stream: StreamKind): string => `${emitterId} ${stream}`;

/** Key of one item's position, which only its user's cursors have. */
export const positionKey = (userId: string, id: string): string => `${userId} ${id}`;

/** Copies the tables. The records are shared, because they are never modified. */
export const copyTables = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [
      name,
      table instanceof Map
        ? new Map([...(table as Map<string, unknown>)].map(([key, row]) => [key, copyRow(row)]))
        : table,
    ]),
  ) as unknown as Tables;

/** Rows with the newest first. */
export const newestFirst = <T>(rows: ReadonlyMap<string, Positioned<T>>): Positioned<T>[] =>
  [...rows.values()].sort((a, b) => b.position - a.position);

/** The values of a table, newest first. */
export const valuesOf = <T>(rows: ReadonlyMap<string, Positioned<T>>): T[] =>
  newestFirst(rows).map(({ value }) => value);

const copyRow = (row: unknown): unknown =>
  row instanceof Map ? new Map(row) : Array.isArray(row) ? [...(row as unknown[])] : row;

/** Steps that undo the changes of a commit, in the order of the changes. */
export type Undo = (() => void)[];

/** Rejects a commit. None of it is applied. */
export const refuse: (problem: string) => never = (problem) => {
  throw new XError("store_failed", ["commit", problem]);
};

/** Sets an entry, or deletes it when the value is undefined. */
export function put<K, V>(map: Map<K, V>, key: K, value: V | undefined, undo: Undo): void {
  const had = map.has(key);
  const old = map.get(key);
  if (value === undefined) map.delete(key);
  else map.set(key, value);
  undo.push(() => {
    if (had) map.set(key, old as V);
    else map.delete(key);
  });
}

/** Sets or deletes an entry of a map in a map. */
export function putNested<K, L, V>(map: Map<K, Map<L, V>>, key: K, inner: L, value: V | undefined, undo: Undo): void {
  let nested = map.get(key);
  if (!nested) {
    if (value === undefined) return;
    nested = new Map();
    put(map, key, nested, undo);
  }
  put(nested, inner, value, undo);
}

/** Sets a value at its position, or at the end when it is new. Returns the position. */
export function putPositioned<V extends { readonly id: string }>(
  tables: Tables,
  map: Map<string, Positioned<V>>,
  value: V,
  undo: Undo,
): number {
  const position = map.get(value.id)?.position ?? ++tables.lastPosition;
  put(map, value.id, { value, position }, undo);
  return position;
}

/** The same for an item whose position outlives it. */
export function putListed<V extends { readonly id: string; readonly userId: string }>(
  tables: Tables,
  map: Map<string, Positioned<V>>,
  value: V,
  undo: Undo,
): void {
  const position = putPositioned(tables, map, value, undo);
  put(tables.listPositions, positionKey(value.userId, value.id), position, undo);
}
