import {
  XError,
  isStoreFailure,
  systemClock,
  type Clock,
  type Dispatcher,
  type Logger,
  type TriggerHead,
} from "@x/model";
import type { Backlog } from "../invocation/inbox/backlog.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { InvokeParts } from "../invocation/invoke.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import { abandonCrashers } from "../invocation/records/abandon.ts";
import type { TriggerEvents } from "../invocation/inbox/trigger-events.ts";
import type { Sources } from "../sources/sources.ts";
import type { Cluster, ClusterHandlers, Slots, Store } from "@x/store";
import type { Timers } from "../timers/timers.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import type { HeldSlots } from "./held-slots.ts";

export interface SlotWorkParts {
  readonly store: Store;
  readonly cluster: Pick<Cluster, "owns">;
  readonly heldSlots: HeldSlots;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sourceCache: SourceCache;
  readonly dispatcher: Dispatcher;
  readonly backlog: Pick<Backlog, "has" | "remove">;
  readonly triggerEvents: TriggerEvents;
  readonly invokeParts: Pick<InvokeParts, "recorder">;
  readonly inbox: Inbox;
  readonly timers: Pick<Timers, "take" | "stop">;
  readonly outbox: Pick<Outbox, "start" | "stop">;
  readonly recovery: Sources["recovery"];
}

/** The work of slots that come and go: what a start does for all sources, and its reverse. */
export interface SlotWork extends Pick<ClusterHandlers, "gained" | "losing" | "usedSlots"> {
  /** Runs triggers that this node has stored, if their sources are here. */
  stored(heads: readonly TriggerHead[]): void;
  /** The last triggers that this node has stored for others since the last call. */
  takeSent(): readonly TriggerHead[];
  /** Runs triggers that other nodes have stored. */
  claimed(heads: readonly TriggerHead[]): void;
}

/** Triggers for other nodes that are remembered. */
const maxSent = 1_000;
/** How long an attempt to deliver may delay that its slot is given away, in ms. */
const attemptMs = 500;
/** Wait after the store failed during a recovery, in ms. */
const retryMs = 500;

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => void systemClock.wakeAt(systemClock.now() + ms, resolve));

export function createSlotWork(parts: SlotWorkParts): SlotWork {
  const { store, heldSlots, sourceCache, dispatcher, backlog, inbox, timers, outbox, recovery, logger } = parts;
  /** Triggers that this node stored while their slots were being gained. */
  const early = new Map<string, TriggerHead>();
  let sent: TriggerHead[] = [];
  /** Slots that are being gained: they are given away only afterwards. */
  const gaining = new Set<Promise<void>>();

  async function take(slots: Slots): Promise<void> {
    const [left, waiting, fire] = await Promise.all([
      store.recoverTransitions(slots),
      store.recoverTriggers(slots),
      timers.take(() => store.timers(slots)),
    ]);
    const { recorder } = parts.invokeParts;
    const abandonParts = { store, recorder, triggerEvents: parts.triggerEvents, now: parts.clock.now() };
    const resumed = await abandonCrashers(waiting, abandonParts, inbox.delaySource);
    // From here on without a pause, so that what was stored before runs first.
    const known = new Set(waiting.map(({ id }) => id));
    const later = [...early.values()].filter(({ sourceId }) => slots.has(sourceId));
    for (const { id } of later) early.delete(id);
    sourceCache.forgetSlots(slots);
    heldSlots.hold(slots);
    recovery.start(left);
    inbox.resume([...resumed, ...later.filter(({ id }) => !known.has(id))]);
    fire();
    await outbox.start(() => store.deliveryLanes(undefined, slots));
  }

  /** Until the store answers: without its recovery, nothing of the slots may run. */
  async function takeWhenPossible(slots: Slots): Promise<void> {
    for (;;) {
      try {
        await take(slots);
        return;
      } catch (error) {
        if (!XError.is(error) || !isStoreFailure(error.code) || error.code === "store_failed") throw error;
        logger.warn("sources could not be taken over yet", { error: error.message });
      }
      await pause(retryMs);
    }
  }

  function stored(heads: readonly TriggerHead[]): void {
    for (const head of heads) {
      if (heldSlots.mayRun(head.sourceId)) inbox.resume([head], "late");
      else if (parts.cluster.owns(head.sourceId)) early.set(head.id, head);
      // Its node finds it in the store.
      else {
        backlog.remove(head);
        sent.push(head);
        if (sent.length > 2 * maxSent) sent = sent.slice(-maxSent);
      }
    }
  }

  return {
    usedSlots: sourceCache.slots,
    takeSent: () => sent.splice(0),
    stored,
    claimed: (heads) => stored(heads.filter((head) => !backlog.has(head))),
    async gained(slots) {
      const taken = takeWhenPossible(slots);
      gaining.add(taken);
      await taken.finally(() => gaining.delete(taken));
    },
    async losing(slots) {
      await Promise.allSettled(gaining);
      heldSlots.leave(slots);
      timers.stop(slots.has);
      recovery.forget(slots.has);
      inbox.stop(slots);
      await outbox.stop(slots.has, attemptMs);
      await heldSlots.clientsGone(slots);
      await dispatcher.idle(slots.has);
      inbox.forget(slots);
      sourceCache.forgetSlots(slots);
      heldSlots.free(slots);
    },
  };
}
