import type { CommitStats } from "./commit-counts.ts";
import type { Keyv } from "keyv";

import type {
  Account,
  AccountApp,
  AccountIdentity,
  AutoSubscription,
  Cause,
  Component,
  ComponentTexts,
  DedupeState,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  EventId,
  ExecutionRecord,
  ExecutionSummary,
  HookStep,
  Paged,
  Project,
  QueuedDelivery,
  Source,
  SourceState,
  StoredEvent,
  StreamKind,
  Subscription,
  TransitionKind,
  Trigger,
  TriggerHead,
  User,
  Webhook,
  XError,
} from "@x/model";
import type { AppChange, AppReads } from "./app-contract.ts";
import type { Cluster, Slots } from "./cluster-contract.ts";
import type { DataStoreChange, DataStoreReads } from "./data-store-contract.ts";
import type {
  DeliveryCounts,
  DeliveryQuery,
  DeliveryTimes,
  EventQuery,
  EventRange,
  ExecutionQuery,
  KeptExecutions,
  ListQuery,
  SearchedExecution,
} from "./queries.ts";

/** The record that a registry keeps of one of its files. */
export interface RegistryFile {
  /** Id of the file in its registry. */
  readonly id: string;
  /** JSON text. */
  readonly record: string;
}

/** How the secrets of a store are encrypted. */
export interface Sealing {
  /** `file`: with the key file of the data folder; `given`: with the key of an option. */
  readonly key: "file" | "given";
  /** Base64; used to derive the key. */
  readonly salt: string;
  /** A known text, encrypted: reveals a wrong key. */
  readonly check: string;
  /** False while replaced secrets may remain in the data file. */
  readonly swept: boolean;
  /** True when the digests of the fields of all accounts are stored. */
  readonly identified?: true;
}

/** A change of a source whose hooks have begun; a start continues or undoes it after a crash. */
export interface StoredTransition {
  readonly kind: TransitionKind;
  /** The source after the change; for a delete, the source before it. */
  readonly source: Source;
  /** Its component, if the last commit saves it. The store has the texts. */
  readonly unsaved?: Component;
  readonly ignoreHookErrors: boolean;
  /** The result of the change: `after`, or `before` when it is being undone. */
  readonly towards: "after" | "before";
  /** The remaining hooks; the first has begun. */
  readonly ahead: readonly HookStep[];
  /** Changes of the finished hooks, for the last commit. */
  readonly changes: readonly Change[];
  /** How many times the process ended while one of its hooks ran. */
  readonly crashes: number;
  /** True while one of its hooks runs. */
  readonly running: boolean;
}

/** Changes of subscriptions, webhooks and their deliveries. */
export type DeliveryChange =
  /** Refused if the user has the same emitter, listener and event name already. */
  | { readonly op: "subscription.add"; readonly subscription: Subscription }
  | { readonly op: "subscription.delete"; readonly id: string }
  | { readonly op: "auto_subscription.add"; readonly autoSubscription: AutoSubscription }
  | { readonly op: "auto_subscription.delete"; readonly id: string }
  /** Inserts or replaces; keeps the webhook's list position and its count of skipped events. */
  | { readonly op: "webhook.put"; readonly webhook: Webhook }
  /** Removes the webhook with its deliveries and subscriptions. */
  | { readonly op: "webhook.delete"; readonly id: string }
  /** Adds to the count of skipped events. */
  | { readonly op: "webhook.skip"; readonly id: string; readonly count: number }
  | { readonly op: "delivery.add"; readonly delivery: QueuedDelivery }
  | {
      readonly op: "delivery.update";
      readonly id: string;
      readonly status: DeliveryStatus;
      readonly attempts: readonly DeliveryAttempt[];
      readonly nextAttemptAt: number | null;
    }
  /** Removes all but the newest `keep` deliveries of that status. */
  | {
      readonly op: "deliveries.trim";
      readonly webhookId: string;
      readonly status: DeliveryStatus;
      readonly keep: number;
    };

/** Changes of connected accounts and of the encryption of secrets. */
export type SecretChange =
  /** Inserts or replaces; keeps the account's list position. `identity`: what it is addressed by, in digests. */
  | { readonly op: "account.put"; readonly account: Account; readonly identity?: AccountIdentity }
  | { readonly op: "account.delete"; readonly id: string }
  /** Inserts or replaces the user's app with this slug. */
  | { readonly op: "app.put"; readonly app: AccountApp }
  | { readonly op: "app.delete"; readonly userId: string; readonly slug: string }
  /** `isFirst`: refused if the store has a sealing. */
  | { readonly op: "sealing.put"; readonly sealing: Sealing; readonly isFirst?: true };

/** Changes of stored executions. */
export type ExecutionChange =
  /** Inserts or replaces. */
  | { readonly op: "execution.add"; readonly execution: ExecutionRecord }
  /** Removes all but the kept ones and, with `bytes`, old ones beyond this size. */
  | ({ readonly op: "executions.trim"; readonly sourceId: string; readonly bytes?: number } & KeptExecutions);

/** One change of a commit. The store applies all changes of a commit or none. */
export type Change =
  | DeliveryChange
  | ExecutionChange
  | SecretChange
  | AppChange
  | DataStoreChange
  /** Refused if another user has the key. `keyIndex` identifies an encrypted key. */
  | { readonly op: "user.put"; readonly user: User; readonly keyIndex?: string }
  /** `texts` may be absent if the store has them. */
  | { readonly op: "component.put"; readonly component: Component; readonly texts?: ComponentTexts }
  /** Inserts or replaces. */
  | { readonly op: "registry_file.put"; readonly registry: string; readonly file: RegistryFile }
  | { readonly op: "registry_file.delete"; readonly registry: string; readonly id: string }
  /** Inserts or replaces. */
  | { readonly op: "project.put"; readonly project: Project }
  | { readonly op: "project.delete"; readonly userId: string; readonly name: string }
  /** Inserts or replaces; keeps the source's list position. */
  | { readonly op: "source.put"; readonly source: Source }
  /** Inserts or replaces the transition of its source. `texts` of its unsaved component, unless the store has them. */
  | { readonly op: "transition.put"; readonly transition: StoredTransition; readonly texts?: ComponentTexts }
  | { readonly op: "transition.delete"; readonly sourceId: string }
  /**
   * Removes the source with its db, dedupe state, heads, events, executions, triggers, timer and transition, and the
   * subscriptions of which it is the emitter or the listener.
   */
  | { readonly op: "source.delete"; readonly id: string }
  /** `running`: it starts at once, and no `trigger.start` follows. */
  | {
      readonly op: "trigger.add";
      readonly trigger: Trigger;
      readonly running: boolean;
      /** The emit whose payload is the trigger's event. If this commit adds that event too, the text is stored once. */
      readonly emitId?: string;
    }
  /** Marks it as running; see `recoverTriggers`. */
  | { readonly op: "trigger.start"; readonly id: string }
  | { readonly op: "trigger.remove"; readonly id: string }
  /** `value` is JSON text; undefined deletes the key. */
  | {
      readonly op: "db.set";
      readonly sourceId: string;
      readonly key: string;
      readonly value: string | undefined;
      readonly at: number;
    }
  | { readonly op: "dedupe.set"; readonly sourceId: string; readonly channel: string; readonly state: DedupeState }
  | { readonly op: "dedupe.reset"; readonly sourceId: string }
  /** Its id, from `nextEventId`, becomes the head of the stream. */
  | {
      readonly op: "event.add";
      readonly event: StoredEvent;
      /** For listeners; not stored. */
      readonly cause?: Cause;
      /** For listeners only: the same commit has so many newer events that no read would return it. */
      readonly unread?: true;
    }
  | {
      readonly op: "events.delete";
      readonly emitterId: string;
      readonly stream: StreamKind;
      readonly range: EventRange;
    }
  /** Removes all but the newest `keep` events. */
  | { readonly op: "events.trim"; readonly emitterId: string; readonly stream: StreamKind; readonly keep: number }
  /** The next tick of the source's timer; undefined removes it. `lastAt` is the last scheduled tick. */
  | {
      readonly op: "timer.set";
      readonly sourceId: string;
      readonly next: { readonly at: number; readonly lastAt: number } | undefined;
    }
  /** Adds to the user's counters of the UTC day `day` (`2026-11-20`). */
  | {
      readonly op: "usage.add";
      readonly userId: string;
      readonly day: string;
      readonly invocations: number;
      readonly computeMs: number;
    }
  /** Removes the question of another node with the commit of its effect, so that a repeated one has no second effect. */
  | { readonly op: "message.done"; readonly id: string };

/** Equal spans of time, one after the other; in ms. */
export interface Spans {
  readonly from: number;
  readonly ms: number;
  readonly count: number;
}

export interface StoredTimer {
  readonly sourceId: string;
  readonly at: number;
  readonly lastAt: number;
}

/** The pending deliveries from one emitter to one webhook. `at`: when the first is due. */
export interface DeliveryLane {
  readonly webhookId: string;
  readonly emitterId: string;
  readonly at: number;
}

/** What a lane of deliveries has next. */
export interface NextDelivery {
  readonly delivery: QueuedDelivery;
  /** No other one of its lane is pending. */
  readonly isLast: boolean;
}

export interface PendingDeliveries {
  readonly count: number;
  /** Undefined for none. */
  readonly oldestAt: number | undefined;
}

export interface Usage {
  readonly invocations: number;
  readonly computeMs: number;
}

/** The newest event of a stream of one emitter, which may have been deleted since. */
export interface StreamHead {
  readonly emitterId: string;
  readonly newest: EventId;
}

/** Reads of sources with their state, dbs, timers and changes. */
export interface SourceReads {
  source(id: string): Promise<Source | undefined>;
  sourceByEndpoint(key: string): Promise<Source | undefined>;
  /** The user's source with this slug; never a workflow. */
  sourceBySlug(userId: string, slug: string): Promise<Source | undefined>;
  /** Sources (`dc`) and workflows (`p`), or `only` one of the two. */
  sources(userId: string, page: ListQuery, only?: "dc" | "p"): Promise<Paged<Source>>;
  /** Slugs of the user's sources that are `slug` itself or `slug-<number>`. */
  slugs(userId: string, slug: string): Promise<readonly string[]>;

  sourceState(id: string): Promise<SourceState>;
  /** The sources and workflows of a user that have emitted to a stream, by their newest event of it, newest first. */
  newestHeads(userId: string, stream: StreamKind, limit: number): Promise<readonly StreamHead[]>;
  /** The whole namespace of the source's db: key -> JSON text. */
  db(sourceId: string): Promise<ReadonlyMap<string, string>>;
  /** When each key of the source's db was last set. */
  dbTimes(sourceId: string): Promise<ReadonlyMap<string, number>>;

  timers(slots?: Slots): Promise<readonly StoredTimer[]>;
  /** All transitions, in no order. */
  transitions(): Promise<readonly StoredTransition[]>;
}

/**
 * Holds all durable records. One implementation per database; `conformance.cases.ts` tests each. Reads see every commit
 * whose promise has resolved. Lists are newest created first; cursors of deleted items stay valid. Every method rejects
 * with `store_failed`, or a narrower code, when the database fails, and then changes nothing. `slots` restricts a method
 * to sources of these slots.
 */
export interface Store extends SourceReads, AppReads, DataStoreReads {
  /** Resolves when every later commit will reject, for example because the file was removed. Reads may still work. */
  readonly failed: Promise<XError>;
  /** The nodes that share the store, where several can. */
  readonly cluster?: Cluster;
  /** Applies all changes in one transaction; resolves when they are durable. */
  commit(changes: readonly Change[]): Promise<void>;

  user(id: string): Promise<User | undefined>;
  /** Oldest first. */
  users(): Promise<readonly User[]>;

  component(id: string): Promise<Component | undefined>;
  /** The newest with that key. */
  componentByKey(userId: string, key: string): Promise<Component | undefined>;
  componentByContent(userId: string, contentHash: string): Promise<Component | undefined>;
  /** A text of a component, by its hash. */
  text(hash: string): Promise<string | undefined>;
  /** The distinct keys of the package locks of these components and of the components of all sources. */
  lockKeys(componentIds: readonly string[]): Promise<readonly string[]>;
  /** The records of the files of a registry, in no order. */
  registryFiles(registry: string): Promise<readonly RegistryFile[]>;

  project(userId: string, name: string): Promise<Project | undefined>;
  /** All projects of the user, by name. */
  projects(userId: string): Promise<readonly Project[]>;

  events(emitterId: string, stream: StreamKind, query: EventQuery): Promise<Paged<StoredEvent>>;
  executions(userId: string, query: ExecutionQuery): Promise<Paged<ExecutionSummary>>;
  /** Which of these executions have a text in their record; letters of ASCII match in either case. In no order. */
  searchExecutions(ids: readonly string[], text: string): Promise<readonly SearchedExecution[]>;
  execution(id: string): Promise<ExecutionRecord | undefined>;
  /** How many stored events of a stream each of `spans.count` spans of `spans.ms` has, from the time `spans.from` on. */
  eventCounts(emitterId: string, stream: StreamKind, spans: Spans): Promise<readonly number[]>;
  /** Triggers waiting in the inbox, oldest first; all sources, or one. */
  triggers(sourceId?: string, slots?: Slots): Promise<readonly TriggerHead[]>;
  /** One trigger with its event. */
  trigger(id: string): Promise<Trigger | undefined>;
  /**
   * Called once at start, or when slots are gained: adds one to `crashes` of every running trigger and unmarks it. Returns
   * all waiting triggers, oldest first.
   */
  recoverTriggers(slots?: Slots): Promise<readonly TriggerHead[]>;
  /**
   * Called once at start, or when slots are gained: adds one to `crashes` of every running transition and unmarks it.
   * Returns all transitions.
   */
  recoverTransitions(slots?: Slots): Promise<readonly StoredTransition[]>;
  /** The user's counters of a UTC day, or of all days from it up to and including `lastDay`. */
  usage(userId: string, day: string, lastDay?: string): Promise<Usage>;

  /** Newest first; all users, or one. */
  subscriptions(userId?: string): Promise<readonly Subscription[]>;
  /** Newest first; all users, or one. */
  autoSubscriptions(userId?: string): Promise<readonly AutoSubscription[]>;
  webhook(id: string): Promise<Webhook | undefined>;
  webhooks(userId: string, page: ListQuery): Promise<Paged<Webhook>>;
  /** Of all users, oldest first. */
  allWebhooks(): Promise<readonly Webhook[]>;
  delivery(id: string): Promise<QueuedDelivery | undefined>;
  deliveries(webhookId: string, page: DeliveryQuery): Promise<Paged<Delivery>>;
  /** The pending delivery of a lane that is due first; among equals, the first added. */
  nextDelivery(webhookId: string, emitterId: string): Promise<NextDelivery | undefined>;
  /** Lanes with pending deliveries: all, or those of one webhook. The slot is that of the emitter. */
  deliveryLanes(webhookId?: string, slots?: Slots): Promise<readonly DeliveryLane[]>;

  /** What became of the deliveries of a webhook. */
  deliveryCounts(webhookId: string, times: DeliveryTimes): Promise<DeliveryCounts>;

  /** All pending deliveries: their number, and when the first of them was added. */
  pendingDeliveries(): Promise<PendingDeliveries>;
  /** Counts since the store was opened. */
  commitStats(): CommitStats;

  account(id: string): Promise<Account | undefined>;
  /** Accounts of one app, or of all. */
  accounts(userId: string, page: ListQuery, app?: string): Promise<Paged<Account>>;
  app(userId: string, slug: string): Promise<AccountApp | undefined>;
  /** All apps of a user, by slug. */
  apps(userId: string): Promise<readonly AccountApp[]>;
  /** Undefined until a `sealing.put`. */
  sealing(): Promise<Sealing | undefined>;
  /** Erases the remains of deleted and replaced records. */
  sweep(): Promise<void>;

  /** Waits for running commits, unmarks running triggers and transitions, and releases the lock. */
  close(): Promise<void>;
}

/** A source's db as embedders use it. */
export type SourceDb = Keyv;

/** Records in memory that outlive a runtime; created by `createMemory`. */
export interface Memory {
  /** @internal Opens the records; a store opened before fails with `closed`. */
  open(): Store;
  /** A separate copy of the current records. */
  copy(): Memory;
}
