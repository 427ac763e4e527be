import {
  everySource,
  randomFraction,
  type Clock,
  type Holding,
  type Limits,
  type Logger,
  type TriggerHead,
} from "@x/model";
import type { RuntimeOptions } from "../api/options.ts";
import { type Backlog, createBacklog } from "../invocation/inbox/backlog.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import { createSharedBacklog, type FanOutBacklog } from "../nodes/shared-backlog.ts";
import type { Store, StoredTransition } from "@x/store";
import { createDeliveringStore } from "../subscriptions/delivering-store.ts";
import type { Overflow } from "../subscriptions/fan-out.ts";
import { type Listeners, loadListeners } from "../subscriptions/listeners.ts";
import { createUsers, type Users } from "../users/users.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import { firstAttemptAt } from "../webhooks/retry.ts";
import { assembleLive, type LiveParts } from "./assemble-live.ts";
import { assembleNode, type Node } from "./assemble-node.ts";

export interface RecordsBase {
  readonly options: RuntimeOptions;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Its unregistered workflows are inactive. */
  readonly opened: Store;
  /** Milliseconds before each attempt of a delivery. */
  readonly schedule: readonly number[];
}

/** What is made after the store, and gets what its commits lead to. */
export interface CommitReceivers {
  readonly inbox: Inbox;
  readonly outbox: Outbox;
  overflowed(overflows: readonly Overflow[]): void;
}

/** The store, and the records that are held in memory. */
export interface Records extends LiveParts {
  readonly store: Store;
  /** With several nodes on the store. */
  readonly node: Node | undefined;
  readonly holding: Holding;
  readonly listeners: Listeners;
  readonly backlog: Backlog;
  /** Limits the inboxes of sources on all nodes. */
  readonly fanOutBacklog: FanOutBacklog;
  /** Runs triggers that a commit has stored. */
  triggered(triggers: readonly TriggerHead[]): void;
  readonly users: Users;
  /** Triggers and changes that a former process left. */
  readonly triggers: readonly TriggerHead[];
  readonly left: readonly StoredTransition[];
}

export async function assembleRecords(base: RecordsBase, later: () => CommitReceivers): Promise<Records> {
  const { options, limits, clock, logger, opened } = base;
  const backlog = createBacklog(limits);
  const node = opened.cluster && assembleNode(opened.cluster, logger, backlog);
  const listeners = await loadListeners(opened);
  const fanOutBacklog = node
    ? createSharedBacklog({ own: backlog, limits, store: opened, isHeld: node.heldSlots.isHeld })
    : backlog;
  const triggered = (triggers: readonly TriggerHead[]): void =>
    node ? node.stored(triggers) : later().inbox.resume(triggers, "late");
  const delivering = createDeliveringStore(opened, {
    listeners,
    clock,
    hopLimit: limits.deliveryHops,
    pausedDeliveries: limits.pausedDeliveries,
    firstAttemptAt: (now) => firstAttemptAt(base.schedule, now, randomFraction()),
    queued: (deliveries) => later().outbox.queued(deliveries),
    backlog: fanOutBacklog,
    triggered,
    overflowed: (overflows) => later().overflowed(overflows),
  });
  const store = node?.coherent(delivering, listeners) ?? delivering;

  // Before the users: a new API key in the options revokes the stored one.
  const listening = assembleLive(
    (apiKey) => users.authenticate(apiKey) !== undefined,
    node && ((own) => node.liveExecutions(own, store)),
  );
  const { apiKey } = options;
  const { revoked } = listening;
  const users = await createUsers({ store, clock, apiKey, revoked, settlesLater: node !== undefined });
  // Before new triggers are accepted: the stored ones are those that a former process left.
  const triggers = node ? [] : await store.recoverTriggers();
  const left = node ? [] : await store.recoverTransitions();
  const holding = node?.heldSlots ?? everySource;
  return { ...listening, store, node, holding, listeners, backlog, fanOutBacklog, triggered, users, triggers, left };
}
