import { newSortableId } from "../ids.ts";
import type { QueuedDelivery, Subscription, Webhook } from "../listener-model.ts";
import type { Cause, Source, StoredEvent, Trigger } from "../model.ts";
import type { Change } from "../store/contract.ts";
import { listenersOf, mayTrigger } from "./match.ts";

/** An event of a commit with those who may hear of it. */
export interface Candidate {
  readonly event: StoredEvent;
  readonly cause: Cause;
  readonly subscriptions: readonly Subscription[];
}

export interface FanOutRules {
  readonly now: number;
  readonly hopLimit: number;
  webhook(id: string): Webhook | undefined;
  /** As it is in the store, or will be after the commit. */
  source(id: string): Promise<Source | undefined>;
}

/** What joins the commit of the events. */
export interface FanOut {
  readonly changes: readonly Change[];
  readonly deliveries: readonly QueuedDelivery[];
  readonly triggers: readonly Trigger[];
}

function deliveryOf(event: StoredEvent, webhookId: string, now: number): QueuedDelivery {
  return {
    id: `dlv_${newSortableId(now)}`,
    webhookId,
    emitterId: event.emitterId,
    eventId: event.id,
    emitId: event.emitId,
    eventName: event.name,
    ...(event.ts === undefined ? {} : { ts: event.ts }),
    status: "pending",
    attempts: [],
    nextAttemptAt: now,
    createdAt: now,
    payload: event.payload,
  };
}

function triggerOf(event: StoredEvent, cause: Cause, sourceId: string, now: number): Trigger {
  return {
    id: newSortableId(now),
    sourceId,
    type: "SUBSCRIPTION",
    event: event.payload,
    at: now,
    crashes: 0,
    hops: cause.hops + 1,
    ...(event.stream === "$errors" ? { ofError: true } : {}),
  };
}

/** Deliveries and triggers for the listeners of events: a row for each, or nothing for inactive ones (G14, G20). */
export async function fanOut(candidates: readonly Candidate[], rules: FanOutRules): Promise<FanOut> {
  const deliveries: QueuedDelivery[] = [];
  const triggers: Trigger[] = [];
  const skipped = new Map<string, number>();
  const sources = new Map<string, Source | undefined>();
  const sourceOf = async (id: string): Promise<Source | undefined> => {
    if (!sources.has(id)) sources.set(id, await rules.source(id));
    return sources.get(id);
  };
  for (const { event, cause, subscriptions } of candidates) {
    const userId = (await sourceOf(event.emitterId))?.userId ?? "";
    for (const listenerId of listenersOf({ ...event, userId }, subscriptions)) {
      if (listenerId.startsWith("wh_")) {
        const webhook = rules.webhook(listenerId);
        if (webhook?.active) deliveries.push(deliveryOf(event, listenerId, rules.now));
        else if (webhook) skipped.set(listenerId, (skipped.get(listenerId) ?? 0) + 1);
      } else if (mayTrigger(event.stream, cause, rules.hopLimit) && (await sourceOf(listenerId))?.active) {
        triggers.push(triggerOf(event, cause, listenerId, rules.now));
      }
    }
  }
  return {
    changes: [
      ...deliveries.map((delivery): Change => ({ op: "delivery.add", delivery })),
      ...triggers.map((trigger): Change => ({ op: "trigger.add", trigger, running: false })),
      ...[...skipped].map(([id, count]): Change => ({ op: "webhook.skip", id, count })),
    ],
    deliveries,
    triggers,
  };
}
