import { monotonicMs } from "../clock.ts";
import { newSortableId } from "../ids.ts";
import type { QueuedDelivery, Subscription, Webhook } from "../listener-model.ts";
import type { Cause, Source, StoredEvent, Trigger, TriggerHead } from "../model.ts";
import type { Change } from "../store/contract.ts";
import { isDelivered, listenersOf, mayTrigger } from "./match.ts";

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
  /** Counts a trigger into its source's inbox; undefined, or the bound that it would exceed. */
  admit(trigger: TriggerHead): { readonly limit: string } | undefined;
  /** Lets others have the thread. */
  pause(): Promise<void>;
}

/** Events that a source does not get because its inbox is full. */
export interface Overflow {
  readonly sourceId: string;
  readonly limit: string;
  readonly emitters: Set<string>;
  count: number;
}

/** What joins the commit of the events. */
export interface FanOut {
  readonly changes: readonly Change[];
  readonly deliveries: readonly QueuedDelivery[];
  readonly triggers: readonly TriggerHead[];
  readonly overflows: readonly Overflow[];
}

/** How long fanning out holds the thread. */
const sliceMs = 10;

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
  const changes: Change[] = [];
  const deliveries: QueuedDelivery[] = [];
  const triggers: TriggerHead[] = [];
  const skipped = new Map<string, number>();
  const overflows = new Map<string, Overflow>();
  const sources = new Map<string, Source | undefined>();
  const sourceOf = async (id: string): Promise<Source | undefined> => {
    if (!sources.has(id)) sources.set(id, await rules.source(id));
    return sources.get(id);
  };

  function trigger({ event, cause }: Candidate, { id: sourceId, userId }: Source, listeners: number): void {
    const added = triggerOf(event, cause, sourceId, rules.now);
    const { event: text, body: _, ...head } = added;
    // The payload is stored once for all of them.
    const counted = { ...head, userId, bytes: Math.ceil(Buffer.byteLength(text) / listeners) };
    const excess = rules.admit(counted);
    if (!excess) {
      triggers.push(counted);
      changes.push({ op: "trigger.add", trigger: added, running: false, emitId: event.emitId });
      return;
    }
    const known = overflows.get(sourceId);
    if (known) {
      known.count += 1;
      known.emitters.add(event.emitterId);
    } else {
      overflows.set(sourceId, { sourceId, limit: excess.limit, emitters: new Set([event.emitterId]), count: 1 });
    }
  }

  function deliver(event: StoredEvent, webhookId: string): void {
    const webhook = rules.webhook(webhookId);
    if (webhook?.active) {
      const delivery = deliveryOf(event, webhookId, rules.now);
      deliveries.push(delivery);
      changes.push({ op: "delivery.add", delivery });
    } else if (webhook) skipped.set(webhookId, (skipped.get(webhookId) ?? 0) + 1);
  }

  /** The listeners of events that differ in nothing but their content. */
  const matched = new Map<string, readonly string[]>();
  function match({ event, subscriptions }: Candidate, userId: string): readonly string[] {
    const key = [event.emitterId, event.stream, event.name].join(" ");
    const known = matched.get(key) ?? listenersOf({ ...event, userId }, subscriptions);
    matched.set(key, known);
    return known;
  }

  let since = monotonicMs();
  for (const candidate of candidates) {
    const { event, cause } = candidate;
    if (!isDelivered(event.stream, cause)) continue;
    const listeners = match(candidate, (await sourceOf(event.emitterId))?.userId ?? "");
    for (const listenerId of listeners) {
      if (listenerId.startsWith("wh_")) deliver(event, listenerId);
      else if (mayTrigger(cause, rules.hopLimit)) {
        const source = await sourceOf(listenerId);
        if (source?.active) trigger(candidate, source, listeners.length);
      }
    }
    if (monotonicMs() - since < sliceMs) continue;
    await rules.pause();
    since = monotonicMs();
  }
  changes.push(...[...skipped].map(([id, count]): Change => ({ op: "webhook.skip", id, count })));
  return { changes, deliveries, triggers, overflows: [...overflows.values()] };
}
