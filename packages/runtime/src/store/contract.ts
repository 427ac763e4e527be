import type { EventPage } from "../api/events-api.ts";
import type { Keyv } from "keyv";

import type { XError } from "../model/errors.ts";
import type {
  AutoSubscription,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  QueuedDelivery,
  Subscription,
  Webhook,
} from "../model/listener-model.ts";
import type {
  Account,
  Cause,
  Component,
  ComponentTexts,
  DedupeState,
  EventId,
  HookStep,
  Page,
  Paged,
  Source,
  SourceState,
  StoredEvent,
  StreamKind,
  TransitionKind,
  Trigger,
  TriggerHead,
  User,
} from "../model/model.ts";

/** An inclusive range of event ids; an absent end is open. */
export interface EventRange {
  readonly start?: EventId;
  readonly end?: EventId;
}

/** What a registry remembers of one of its files. */
export interface RegistryFile {
  /** Of the file in its registry. */
  readonly id: string;
  /** JSON text. */
  readonly record: string;
}

/** How the secrets of a store are encrypted. */
export interface Sealing {
  /** `file`: with the key file of the data folder; `given`: with the key of an option. */
  readonly key: "file" | "given";
  /** Goes into the key, in base64. */
  readonly salt: string;
  /** A known text, encrypted: tells a wrong key. */
  readonly check: string;
  /** False while secrets of the time before may be left in the data file. */
  readonly swept: boolean;
}

/** A change of a source whose hooks have begun: what is known of it should the process end before its last commit. */
export interface StoredTransition {
  readonly kind: TransitionKind;
  /** The source as it will be; that of a delete, as it is. */
  readonly source: Source;
  /** Its component, where that is saved by the last commit; the texts are in the store. */
  readonly unsaved?: Component;
  readonly ignoreHookErrors: boolean;
  /** What it ends in: the source as it will be, or, when the change is undone, as it was. */
  readonly towards: "after" | "before";
  /** The hooks that are left; the first has begun. */
  readonly ahead: readonly HookStep[];
  /** What the hooks that are done have left: it is part of the last commit. */
  readonly changes: readonly Change[];
  /** How often the process ended while one of its hooks ran. */
  readonly crashes: number;
  /** One of its hooks runs. */
  readonly running: boolean;
}

/** Changes of subscriptions, webhooks and their deliveries. */
export type DeliveryChange =
  /** Refused when the user has the same triple already. */
  | { readonly op: "subscription.add"; readonly subscription: Subscription }
  | { readonly op: "subscription.delete"; readonly id: string }
  | { readonly op: "auto_subscription.add"; readonly autoSubscription: AutoSubscription }
  | { readonly op: "auto_subscription.delete"; readonly id: string }
  /** Inserts or replaces; keeps the webhook's place in lists and its count of skipped events. */
  | { readonly op: "webhook.put"; readonly webhook: Webhook }
  /** Removes the webhook with its deliveries and every subscription it listens by. */
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
  /** Drops all but the newest `keep` deliveries of that status. */
  | {
      readonly op: "deliveries.trim";
      readonly webhookId: string;
      readonly status: DeliveryStatus;
      readonly keep: number;
    };

/** Changes of connected accounts and of how secrets are kept. */
export type SecretChange =
  /** Inserts or replaces; keeps the account's place in lists. */
  | { readonly op: "account.put"; readonly account: Account }
  | { readonly op: "account.delete"; readonly id: string }
  | { readonly op: "sealing.put"; readonly sealing: Sealing };

/** One thing a commit changes. A commit is a list of these and happens wholly or not at all. */
export type Change =
  | DeliveryChange
  | SecretChange
  /** Refused when another user has the key. `keyIndex` stands for a key that is encrypted. */
  | { readonly op: "user.put"; readonly user: User; readonly keyIndex?: string }
  /** Without `texts` when the store has them. */
  | { readonly op: "component.put"; readonly component: Component; readonly texts?: ComponentTexts }
  /** Inserts or replaces. */
  | { readonly op: "registry_file.put"; readonly registry: string; readonly file: RegistryFile }
  | { readonly op: "registry_file.delete"; readonly registry: string; readonly id: string }
  /** Inserts or replaces; keeps the source's place in lists. */
  | { readonly op: "source.put"; readonly source: Source }
  /** Inserts or replaces, by the source. `texts`: those of the component that is not saved yet, when the store may not have them. */
  | { readonly op: "transition.put"; readonly transition: StoredTransition; readonly texts?: ComponentTexts }
  | { readonly op: "transition.delete"; readonly sourceId: string }
  /**
   * Removes the source with its db, dedupe state, heads, events, triggers, timer and transition, the subscriptions that
   * name it, and those by which it listens.
   */
  | { readonly op: "source.delete"; readonly id: string }
  /** `running`: true when it starts at once, so that no `trigger.start` follows. */
  | {
      readonly op: "trigger.add";
      readonly trigger: Trigger;
      readonly running: boolean;
      /** The emit whose payload is the trigger's event, when this commit adds its event too: the text is stored once. */
      readonly emitId?: string;
    }
  /** Marks it as in flight; see `recoverTriggers`. */
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
  /** Ids come from `nextEventId`; the stream's head moves to this id. */
  | {
      readonly op: "event.add";
      readonly event: StoredEvent;
      /** For listeners; not stored. */
      readonly cause?: Cause;
      /** Only for listeners: so many newer ones are in the same commit that it could never be read. */
      readonly unread?: true;
    }
  | {
      readonly op: "events.delete";
      readonly emitterId: string;
      readonly stream: StreamKind;
      readonly range: EventRange;
    }
  /** Drops all but the newest `keep` events. */
  | { readonly op: "events.trim"; readonly emitterId: string; readonly stream: StreamKind; readonly keep: number }
  /** When the source's timer fires next; undefined removes it. `lastAt` is the last scheduled tick. */
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
    };

export interface StoredTimer {
  readonly sourceId: string;
  readonly at: number;
  readonly lastAt: number;
}

/** The deliveries from one emitter to one webhook, and when the first of those that wait is due. */
export interface DeliveryLane {
  readonly webhookId: string;
  readonly emitterId: string;
  readonly at: number;
}

export interface Usage {
  readonly invocations: number;
  readonly computeMs: number;
}

/** Reading events: list order is newest first; `after` means older than, `before` newer than. */
/** A page with ids as the store has them. */
export interface EventRecordPage extends Omit<EventPage, "after" | "before"> {
  readonly after?: EventId;
  readonly before?: EventId;
}

export interface EventQuery extends EventRecordPage {
  /** At most the newest `retention` events are visible. */
  readonly retention: number;
}

/**
 * Where everything durable lives. One implementation per database; `conformance.cases.ts` runs against each.
 * Reads see every commit whose promise has resolved. Lists are newest created first; a cursor of a deleted item
 * still works when its place is known, otherwise the list starts from its beginning.
 * Every method rejects with `store_failed` (or a narrower code) when the database fails; nothing is then applied.
 */
export interface Store {
  /** Resolves when nothing can be stored any more, as when its file was removed: reads may go on, every commit rejects. */
  readonly failed: Promise<XError>;
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
  /** The keys of the packages of these components, and of those of all sources, each once. */
  lockKeys(componentIds: readonly string[]): Promise<readonly string[]>;
  /** What is known of the files of a registry, in no order. */
  registryFiles(registry: string): Promise<readonly RegistryFile[]>;

  source(id: string): Promise<Source | undefined>;
  sourceByEndpoint(key: string): Promise<Source | undefined>;
  /** Also workflows, unless it is only about one of the two. */
  sources(userId: string, page: Page, only?: "dc" | "p"): Promise<Paged<Source>>;
  /** Slugs of the user's sources that are `slug` itself or `slug-<number>`. */
  slugs(userId: string, slug: string): Promise<readonly string[]>;

  sourceState(id: string): Promise<SourceState>;
  /** The whole namespace of the source's db: key -> JSON text. */
  db(sourceId: string): Promise<ReadonlyMap<string, string>>;
  /** When each key of the source's db was last set. */
  dbTimes(sourceId: string): Promise<ReadonlyMap<string, number>>;

  events(emitterId: string, stream: StreamKind, query: EventQuery): Promise<Paged<StoredEvent>>;
  timers(): Promise<readonly StoredTimer[]>;
  /** Triggers waiting in the inbox, oldest first; all sources, or one. */
  triggers(sourceId?: string): Promise<readonly TriggerHead[]>;
  /** One of them with its event. */
  trigger(id: string): Promise<Trigger | undefined>;
  /**
   * Called once at start: adds one to `crashes` of every trigger that was in flight, and unmarks it.
   * Returns all waiting triggers, oldest first.
   */
  recoverTriggers(): Promise<readonly TriggerHead[]>;
  /** Changes of sources that have begun, in no order. */
  transitions(): Promise<readonly StoredTransition[]>;
  /** Called once at start: adds one to `crashes` of every transition that was running, unmarks it, and returns them all. */
  recoverTransitions(): Promise<readonly StoredTransition[]>;
  /** The user's counters of a UTC day, or of all days from it up to and including `lastDay`. */
  usage(userId: string, day: string, lastDay?: string): Promise<Usage>;

  /** Newest first; all users, or one. */
  subscriptions(userId?: string): Promise<readonly Subscription[]>;
  /** Newest first; all users, or one. */
  autoSubscriptions(userId?: string): Promise<readonly AutoSubscription[]>;
  webhook(id: string): Promise<Webhook | undefined>;
  webhooks(userId: string, page: Page): Promise<Paged<Webhook>>;
  /** Of all users, oldest first. */
  allWebhooks(): Promise<readonly Webhook[]>;
  delivery(id: string): Promise<QueuedDelivery | undefined>;
  deliveries(webhookId: string, page: Page): Promise<Paged<Delivery>>;
  /** The pending delivery of a lane that has been due the longest; of several, the one that was added first. */
  dueDelivery(webhookId: string, emitterId: string, now: number): Promise<QueuedDelivery | undefined>;
  /** Lanes with pending deliveries; of all webhooks, of one, or one lane. */
  deliveryLanes(webhookId?: string, emitterId?: string): Promise<readonly DeliveryLane[]>;

  account(id: string): Promise<Account | undefined>;
  /** Of one app, or of all. */
  accounts(userId: string, page: Page, app?: string): Promise<Paged<Account>>;
  /** Undefined until a `sealing.put`. */
  sealing(): Promise<Sealing | undefined>;
  /** Removes for good what deleted and replaced records left behind. */
  sweep(): Promise<void>;

  /** Waits for commits under way, unmarks triggers in flight and transitions that run, releases the lock. */
  close(): Promise<void>;
}

/** A source's db in the hands of an embedder. */
export type SourceDb = Keyv;
