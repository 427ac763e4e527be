import { setImmediate as nextTurn } from "node:timers/promises";

import type { Clock, QueuedDelivery, Subscription, TriggerHead } from "@x/model";
import type { Change, Store } from "@x/store";
import { type Candidate, fanOut, type FanOutRules, type Overflow } from "./fan-out.ts";
import type { Listeners } from "./listeners.ts";
import { createRecordedListeners } from "./recorded-listeners.ts";

export interface DeliveringParts {
  readonly listeners: Listeners;
  readonly clock: Clock;
  readonly hopLimit: number;
  /** Most deliveries that wait for a paused webhook. */
  readonly pausedDeliveries: number;
  /** When a delivery that is stored now is attempted first. */
  firstAttemptAt(now: number): number;
  /** Called after the commit of these deliveries. */
  queued(deliveries: readonly QueuedDelivery[]): void;
  /** Counts the triggers that are about to be stored in a source's inbox. */
  readonly backlog: FanOutRules["backlog"] & { remove(trigger: TriggerHead): void };
  /** Called after the commit of these triggers of listening sources. */
  triggered(triggers: readonly TriggerHead[]): void;
  /** Called after the commit with the sources that do not get some of the events. */
  overflowed(overflows: readonly Overflow[]): void;
}

const noCause = { hops: 0, ofError: false };

const isStored = (change: Change): boolean => change.op !== "event.add" || change.unread !== true;

function findCandidates(changes: readonly Change[], listeners: Listeners): Candidate[] {
  const added: Subscription[] = [];
  for (const change of changes) if (change.op === "subscription.add") added.push(change.subscription);
  const found: Candidate[] = [];
  // One run can emit very many events, all of one emitter.
  const byEmitter = new Map<string, readonly Subscription[]>();
  const subscriptionsOf = (emitterId: string): readonly Subscription[] => {
    const known = byEmitter.get(emitterId);
    if (known) return known;
    const own = added.filter((each) => each.emitterId === emitterId);
    const all = [...listeners.candidates(emitterId), ...own];
    byEmitter.set(emitterId, all);
    return all;
  };
  for (const change of changes) {
    if (change.op !== "event.add") continue;
    const { event, cause = noCause } = change;
    const subscriptions = subscriptionsOf(event.emitterId);
    if (subscriptions.length > 0) found.push({ event, cause, subscriptions });
  }
  return found;
}

/**
 * A store whose commits add the deliveries and triggers for the listeners of their events, in the same transaction: no
 * event is stored without its deliveries.
 */
export function createDeliveringStore(inner: Store, parts: DeliveringParts): Store {
  const { listeners, clock } = parts;

  async function commitWithListeners(changes: readonly Change[], candidates: readonly Candidate[]): Promise<void> {
    const put = new Map(changes.flatMap((change) => (change.op === "source.put" ? [[change.source.id, change]] : [])));
    const webhooks = new Map(
      changes.flatMap((change) => (change.op === "webhook.put" ? [[change.webhook.id, change.webhook]] : [])),
    );
    const { hopLimit, pausedDeliveries } = parts;
    const now = clock.now();
    const recorded = createRecordedListeners(changes);
    const rest = await fanOut(recorded.linked(candidates), {
      now,
      firstAttemptAt: parts.firstAttemptAt(now),
      hopLimit,
      webhook: (id) => webhooks.get(id) ?? listeners.webhook(id),
      async roomOf(id) {
        const { totalCount } = await inner.deliveries(id, { limit: 1, status: "pending" });
        return pausedDeliveries - totalCount;
      },
      source: async (id) => put.get(id)?.source ?? (await inner.source(id)),
      backlog: parts.backlog,
      notesOf: recorded.notesOf,
      pause: nextTurn,
    });
    try {
      await inner.commit([...recorded.completed(changes).filter(isStored), ...rest.changes]);
    } catch (error) {
      for (const trigger of rest.triggers) parts.backlog.remove(trigger);
      throw error;
    }
    listeners.apply(changes);
    if (rest.deliveries.length > 0) parts.queued(rest.deliveries);
    if (rest.triggers.length > 0) parts.triggered(rest.triggers);
    if (rest.overflows.length > 0) parts.overflowed(rest.overflows);
  }

  return {
    ...inner,
    commit(changes) {
      const candidates = findCandidates(changes, listeners);
      // Without listeners nothing is awaited first, so that commits keep the order of their calls.
      return candidates.length > 0
        ? commitWithListeners(changes, candidates)
        : inner.commit(changes.filter(isStored)).then(() => listeners.apply(changes));
    },
  };
}
