import type { NewWebhook, WebhookChange, WebhookView } from "../api.ts";
import type { Clock } from "../clock.ts";
import type { Outbox } from "../delivery/outbox.ts";
import { createDispatcher } from "../lane/dispatcher.ts";
import { XError } from "../errors.ts";
import { hasLongHost } from "../host-length.ts";
import { newId } from "../ids.ts";
import type { Delivery, Webhook } from "../listener-model.ts";
import type { Page, Paged } from "../model.ts";
import type { Store } from "../store/contract.ts";

/** The rules of signing and of the network, handed in. */
export interface WebhookRules {
  newSigningKey(): string;
  rotateKey(webhook: Webhook, now: number): Webhook;
  /** The rule that forbids this URL as it is written. */
  forbidden(url: string): string | undefined;
}

export interface WebhooksParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly rules: WebhookRules;
  readonly outbox: Pick<Outbox, "queued" | "wake">;
}

/** URLs that receive events, and what is on its way to them (R106-R108, G14, S13). */
export interface Webhooks {
  /** With its signing key, which is not shown again. */
  create(input: NewWebhook, userId: string): Promise<Webhook>;
  view(id: string, userId: string): Promise<WebhookView>;
  list(page: Page, userId: string): Promise<Paged<WebhookView>>;
  update(id: string, change: WebhookChange, userId: string): Promise<WebhookView>;
  delete(id: string, userId: string): Promise<void>;
  rotateKey(id: string, userId: string): Promise<Webhook>;
  /** Its receiver is gone for good. */
  deactivate(id: string): Promise<void>;
  deliveries(id: string, page: Page, userId: string): Promise<Paged<Delivery>>;
  /** One more attempt now, whatever became of those before. */
  redeliver(id: string, deliveryId: string, userId: string): Promise<Delivery>;
}

const viewOf = ({ signingKey: _key, previousKeys: _past, ...view }: Webhook): WebhookView => view;

/** A protocol that is http or https, and a host (R107). */
function checkUrl(url: string, rules: WebhookRules): void {
  // The parser would repair a missing slash and leave out white space.
  if (!/^https?:\/\/[^/?#]/i.test(url) || /[\s\p{Cc}]/u.test(url) || hasLongHost(url) || !URL.canParse(url)) {
    const got = JSON.stringify(url.slice(0, 100));
    throw new XError("invalid_parameter", ["url", "an absolute http or https URL", got], {
      details: { parameter: "url", received: url.slice(0, 100) },
    });
  }
  const rule = rules.forbidden(url);
  if (rule !== undefined) {
    const host = new URL(url).hostname;
    throw new XError("address_forbidden", [host, rule], { details: { parameter: "url", host } });
  }
}

function checkFormat(format: string): void {
  if (format === "event" || format === "envelope") return;
  const got = JSON.stringify(format);
  throw new XError("invalid_parameter", ["format", '"event" or "envelope"', got], {
    details: { parameter: "format", received: format },
  });
}

export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { store, clock, rules, outbox } = parts;
  // One change at a time per webhook: each writes the whole record.
  const lanes = createDispatcher();

  async function own(id: string, userId: string): Promise<Webhook> {
    const webhook = await store.webhook(id);
    if (webhook?.userId !== userId) throw new XError("not_found", ["webhook", id]);
    return webhook;
  }

  return {
    async create({ url, name = null, description = null, format = "event" }, userId) {
      checkUrl(url, rules);
      checkFormat(format);
      const now = clock.now();
      const webhook: Webhook = {
        id: newId("wh"),
        userId,
        name,
        description,
        url,
        active: true,
        format,
        signingKey: rules.newSigningKey(),
        previousKeys: [],
        skipped: 0,
        createdAt: now,
        updatedAt: now,
      };
      await store.commit([{ op: "webhook.put", webhook }]);
      return webhook;
    },
    view: async (id, userId) => viewOf(await own(id, userId)),
    async list(page, userId) {
      const { totalCount, items } = await store.webhooks(userId, page);
      return { totalCount, items: items.map(viewOf) };
    },
    update: (id, change, userId) =>
      lanes.run(id, async () => {
        const current = await own(id, userId);
        if (change.url !== undefined) checkUrl(change.url, rules);
        if (change.format !== undefined) checkFormat(change.format);
        const webhook = { ...current, ...change, updatedAt: clock.now() };
        await store.commit([{ op: "webhook.put", webhook }]);
        if (webhook.active && !current.active) await outbox.wake(id);
        return viewOf(webhook);
      }),
    delete: (id, userId) =>
      lanes.run(id, async () => {
        await own(id, userId);
        await store.commit([{ op: "webhook.delete", id }]);
      }),
    rotateKey: (id, userId) =>
      lanes.run(id, async () => {
        const webhook = rules.rotateKey(await own(id, userId), clock.now());
        await store.commit([{ op: "webhook.put", webhook }]);
        return webhook;
      }),
    deactivate: (id) =>
      lanes.run(id, async () => {
        const webhook = await store.webhook(id);
        if (webhook?.active !== true) return;
        const updatedAt = clock.now();
        await store.commit([{ op: "webhook.put", webhook: { ...webhook, active: false, updatedAt } }]);
      }),
    async deliveries(id, page, userId) {
      await own(id, userId);
      return store.deliveries(id, page);
    },
    async redeliver(id, deliveryId, userId) {
      const webhook = await own(id, userId);
      const found = await store.delivery(deliveryId);
      if (found?.webhookId !== id) throw new XError("not_found", ["delivery", deliveryId]);
      if (!webhook.active) throw new XError("inactive", [id]);
      const { payload: _payload, ...delivery } = found;
      const again = { status: "pending", attempts: delivery.attempts, nextAttemptAt: clock.now() } as const;
      await store.commit([{ op: "delivery.update", id: deliveryId, ...again }]);
      outbox.queued([delivery]);
      return { ...delivery, ...again };
    },
  };
}
