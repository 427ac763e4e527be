import type { ComponentsBase } from "./assemble-components.ts";
import type { Poster } from "../webhooks/contract.ts";
import type { Observer, Tracing } from "../observe/contract.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import { createSecretMasks, type TextMask } from "../invocation/secrets/secret-mask.ts";
import { randomFraction, type Holding } from "@x/model";
import type { Listeners } from "../subscriptions/listeners.ts";
import { createSubscriptions, type Subscriptions } from "../subscriptions/subscriptions.ts";
import { deadLetter, type DeadLetterParts } from "../webhooks/attempt-result.ts";
import { createOutbox, type Outbox } from "../webhooks/outbox.ts";
import { createSourceWebhooks, type PlanSourceWebhook } from "../webhooks/source-webhook.ts";
import { createWebhooks, type Webhooks } from "../webhooks/webhooks.ts";
import { shareWebhooks } from "../nodes/shared-webhooks.ts";
import type { Node } from "./assemble-node.ts";

export interface DeliveriesBase extends Pick<ComponentsBase, "limits" | "clock" | "logger" | "store"> {
  readonly listeners: Listeners;
  readonly poster: Poster;
  /** Milliseconds before each attempt. */
  readonly schedule: readonly number[];
  readonly observer: Observer;
  readonly tracing: Tracing | undefined;
  readonly sourceCache: Pick<SourceCache, "find">;
  readonly holding: Holding;
  readonly node: Node | undefined;
  /** Parts for the record of a dead delivery. */
  readonly recordParts: DeadLetterParts;
}

/** Subscriptions, webhooks and deliveries. */
export interface Deliveries {
  readonly outbox: Outbox;
  readonly webhooks: Webhooks;
  readonly planWebhook: PlanSourceWebhook;
  readonly subscriptions: Subscriptions;
}

const noSecrets: TextMask = { text: (text) => text };

/** The masks of emitters; nothing is hidden of one that is gone. */
function createEmitterMasks(sourceCache: Pick<SourceCache, "find">): (emitterId: string) => Promise<TextMask> {
  const masks = createSecretMasks();
  return async (emitterId) => {
    const cached = await sourceCache.find(emitterId).catch(() => undefined);
    return cached ? masks.of(cached.component, cached.source, {}) : noSecrets;
  };
}

export function assembleDeliveries(base: DeliveriesBase): Deliveries {
  const { limits, clock, logger, store, listeners, poster, schedule, observer, tracing, recordParts, node } = base;
  const { forbidden } = poster;
  const outbox = createOutbox({
    store,
    clock,
    logger,
    observer,
    tracing,
    holding: base.holding,
    post: poster.post,
    maskOf: createEmitterMasks(base.sourceCache),
    random: randomFraction,
    schedule,
    sockets: limits.deliverySockets,
    webhook: listeners.webhook,
    deactivate: (id) => webhooks.deactivate(id),
    deadLetter: (delivery, problem, changes) => deadLetter(delivery, problem, changes, recordParts),
  });
  const ownWebhooks = createWebhooks({ store, clock, outbox, forbidden, attemptMs: limits.deliveryTimeoutMs });
  const webhooks = node ? shareWebhooks(ownWebhooks, node.router) : ownWebhooks;
  const planWebhook = createSourceWebhooks({ clock, listeners, forbidden });
  const subscriptions = createSubscriptions({ store, clock, listeners });
  return { outbox, webhooks, planWebhook, subscriptions };
}
