import {
  createBreath,
  formatEventId,
  newSortableId,
  stepItems,
  type Cause,
  type EmitListener,
  type QueuedDelivery,
  type Source,
  type StoredEvent,
  type Subscription,
  type Trigger,
  type TriggerHead,
  type Webhook,
} from "@x/model";
import type { Change } from "@x/store";
import { isDelivered, listenersOf, mayTrigger, subscriptionsByName } from "./match.ts";

/** An event of a commit, with the subscriptions that may match it. */
export interface Candidate {
  readonly event: StoredEvent;
  readonly cause: Cause;
  readonly subscriptions: readonly Subscription[];
  /** The execution that emitted it, if it is stored. */
  readonly executionId?: string | undefined;
}

export interface FanOutRules {
  readonly now: number;
  readonly hopLimit: number;
  webhook(id: string): Webhook | undefined;
  /** How many more deliveries may wait for a paused webhook. */
  roomOf(webhookId: string): Promise<number>;
  /** When a delivery is attempted first. */
  readonly firstAttemptAt: number;
  /** The source as it is after the commit. */
  source(id: string): Promise<Source | undefined>;
  /** Counts the triggers in the inboxes of sources, and limits them. */
  readonly backlog: {
    findExcess(trigger: Pick<TriggerHead, "sourceId" | "userId" | "bytes">): { readonly limit: string } | undefined;
    add(trigger: TriggerHead): void;
  };
  /** Returns a function for each listener of the event, also those that do not get it; undefined: they are not recorded. */
  notesOf?: ((event: StoredEvent) => NoteListener | undefined) | undefined;
  /** Yields the thread. */
  pause(): Promise<void>;
}

export type NoteListener = (listener: EmitListener) => void;

/** The events that a source does not get because its inbox is full. */
export interface Overflow {
  readonly sourceId: string;
  readonly limit: string;
  readonly emitters: Set<string>;
  count: number;
}

interface Recorded extends Candidate {
  readonly note: NoteListener | undefined;
}

interface Matched {
  readonly webhooks: readonly string[];
  /** Active sources only. */
  readonly sources: readonly Source[];
  readonly inactive: readonly Source[];
}

/** What is added to the commit of the events. */
export interface FanOut {
  readonly changes: readonly Change[];
  readonly deliveries: readonly QueuedDelivery[];
  readonly triggers: readonly TriggerHead[];
  readonly overflows: readonly Overflow[];
}

function deliveryOf(
  { event, cause }: Candidate,
  webhookId: string,
  { now, firstAttemptAt }: Pick<FanOutRules, "now" | "firstAttemptAt">,
): QueuedDelivery {
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
    nextAttemptAt: firstAttemptAt,
    createdAt: now,
    ...(cause.trace !== undefined && { trace: cause.trace }),
    payload: event.payload,
  };
}

function triggerOf({ event, cause, executionId }: Candidate, sourceId: string, now: number): Trigger {
  return {
    id: newSortableId(now),
    sourceId,
    type: "SUBSCRIPTION",
    event: event.payload,
    at: now,
    crashes: 0,
    hops: cause.hops + 1,
    ...(event.stream === "$errors" ? { ofError: true } : {}),
    origin: {
      cause: {
        sourceId: event.emitterId,
        eventId: formatEventId(event.id),
        ...(executionId !== undefined && { executionId }),
      },
      ...(cause.trace !== undefined && { trace: cause.trace }),
    },
  };
}

const kindOf = (id: string): EmitListener["kind"] =>
  id.startsWith("wh_") ? "webhook" : id.startsWith("p_") ? "workflow" : "source";

const listener = (id: string, fate: Omit<EmitListener, "id" | "kind">): EmitListener => ({
  id,
  kind: kindOf(id),
  ...fate,
});

/** Finds the subscriptions that name an event's stream. The events of an emitter share their list. */
function createNamed(): (candidate: Candidate) => Candidate["subscriptions"] {
  const finds = new Map<Candidate["subscriptions"], ReturnType<typeof subscriptionsByName>>();
  return ({ event, subscriptions }) => {
    const find = finds.get(subscriptions) ?? subscriptionsByName(subscriptions);
    finds.set(subscriptions, find);
    return find(event);
  };
}

/** Makes the function that says whether a delivery to a webhook may be stored: few enough wait for a paused one. */
function createRooms({ roomOf }: Pick<FanOutRules, "roomOf">): (webhook: Webhook) => Promise<boolean> {
  const rooms = new Map<string, number>();
  return async ({ id, active }) => {
    if (active) return true;
    const room = rooms.get(id) ?? (await roomOf(id));
    rooms.set(id, room - 1);
    return room > 0;
  };
}

/** A delivery or a trigger for each active listener of each event. */
export async function fanOut(candidates: readonly Candidate[], rules: FanOutRules): Promise<FanOut> {
  const changes: Change[] = [];
  const deliveries: QueuedDelivery[] = [];
  const triggers: TriggerHead[] = [];
  const skipped = new Map<string, number>();
  const hasRoom = createRooms(rules);
  const overflows = new Map<string, Overflow>();
  const known = new Map<string, Promise<Source | undefined>>();
  const sourceOf = (id: string): Promise<Source | undefined> => {
    const source = known.get(id) ?? rules.source(id);
    known.set(id, source);
    return source;
  };

  function trigger(candidate: Recorded, { id: sourceId, userId }: Source, wholeBytes: number, bytes: number): void {
    const { event, note } = candidate;
    const excess = rules.backlog.findExcess({ sourceId, userId, bytes });
    if (excess) {
      const known = overflows.get(sourceId);
      if (!known) overflows.set(sourceId, { sourceId, ...excess, emitters: new Set([event.emitterId]), count: 1 });
      else {
        known.count += 1;
        known.emitters.add(event.emitterId);
      }
      note?.(listener(sourceId, { skipped: "queue_full" }));
      return;
    }
    const added = triggerOf(candidate, sourceId, rules.now);
    note?.(listener(sourceId, { executionId: added.id }));
    const { event: _text, body: _body, ...head } = added;
    const counted = { ...head, userId, bytes, wholeBytes };
    rules.backlog.add(counted);
    triggers.push(counted);
    changes.push({ op: "trigger.add", trigger: added, running: false, emitId: event.emitId });
  }

  async function deliver(candidate: Recorded, webhookId: string): Promise<void> {
    const { note } = candidate;
    const webhook = rules.webhook(webhookId);
    if (webhook && (await hasRoom(webhook))) {
      const delivery = deliveryOf(candidate, webhookId, rules);
      deliveries.push(delivery);
      changes.push({ op: "delivery.add", delivery });
      note?.(listener(webhookId, { deliveryId: delivery.id }));
    } else if (webhook) {
      skipped.set(webhookId, (skipped.get(webhookId) ?? 0) + 1);
      note?.(listener(webhookId, { skipped: "inactive" }));
    }
  }

  const namedIn = createNamed();
  /** The listeners by emitter, stream and channel. */
  const matched = new Map<string, Matched>();
  async function match(candidate: Candidate): Promise<Matched> {
    const { event } = candidate;
    const userId = (await sourceOf(event.emitterId))?.userId ?? "";
    const listeners = listenersOf({ ...event, userId }, namedIn(candidate));
    const all = await Promise.all(listeners.filter((id) => !id.startsWith("wh_")).map(sourceOf));
    const found = all.filter((source) => source !== undefined);
    return {
      webhooks: listeners.filter((id) => id.startsWith("wh_")),
      sources: found.filter(({ active }) => active),
      inactive: found.filter(({ active }) => !active),
    };
  }

  const yieldThread = createBreath(() => rules.pause());
  for (const each of candidates) {
    const { event, cause } = each;
    if (!isDelivered(event.stream, cause)) continue;
    const candidate = { ...each, note: rules.notesOf?.(event) };
    const { note } = candidate;
    const key = [event.emitterId, event.stream, event.name].join(" ");
    const listeners = matched.get(key) ?? (await match(candidate));
    matched.set(key, listeners);
    const { webhooks, sources } = listeners;
    if (note) for (const { id } of listeners.inactive) note(listener(id, { skipped: "inactive" }));
    for (const [index, id] of webhooks.entries()) {
      await deliver(candidate, id);
      if (index % stepItems === stepItems - 1) await yieldThread();
    }
    // All deliveries and triggers of an event share one stored payload.
    const wholeBytes = Buffer.byteLength(event.payload);
    const bytes = Math.ceil(wholeBytes / (webhooks.length + sources.length));
    const isWithin = mayTrigger(cause, rules.hopLimit);
    const triggering = isWithin ? sources : [];
    if (!isWithin && note) for (const { id } of sources) note(listener(id, { skipped: "hop_limit" }));
    for (const [index, source] of triggering.entries()) {
      trigger(candidate, source, wholeBytes, bytes);
      if (index % stepItems === stepItems - 1) await yieldThread();
    }
    await yieldThread();
  }
  for (const [id, count] of skipped) changes.push({ op: "webhook.skip", id, count });
  return { changes, deliveries, triggers, overflows: [...overflows.values()] };
}
