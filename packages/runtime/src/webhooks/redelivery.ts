import type { Redelivery, RedeliveryFilter } from "../api/api.ts";
import { XError, afterRealTime, monotonicMs, type Clock, type Delivery, type Webhook } from "@x/model";
import type { Change, Store } from "@x/store";
import type { Outbox } from "./outbox.ts";

export interface RedeliveryParts {
  readonly store: Pick<Store, "commit" | "deliveries" | "delivery">;
  readonly clock: Pick<Clock, "now">;
  readonly outbox: Pick<Outbox, "queued">;
  /** One attempt takes at most so long. */
  readonly attemptMs: number;
}

/** Makes more attempts of deliveries, whatever their status. */
export interface Redeliveries {
  one(webhook: Webhook, delivery: Delivery, options: Redelivery): Promise<Delivery>;
  /** Resolves with the number of deliveries that are pending again. */
  many(webhook: Webhook, filter: RedeliveryFilter): Promise<number>;
}

const pageItems = 100;
/** Between two looks at a delivery that another node may send. */
const lookMs = 25;
/** For the commit after an attempt. */
const commitMs = 1_000;

const checkActive = ({ id, active }: Webhook): void => {
  if (!active) throw new XError("inactive", [id]);
};

/** The deliveries of a webhook that match, newest first. */
async function* matching(
  { store }: RedeliveryParts,
  webhookId: string,
  { status = "dead", since = 0, until = Infinity }: RedeliveryFilter,
): AsyncGenerator<Delivery, void> {
  for (let after: string | undefined; ;) {
    const page = { limit: pageItems, status, ...(after !== undefined && { after }) };
    const { items } = await store.deliveries(webhookId, page);
    for (const item of items) {
      if (item.createdAt < since) return;
      if (item.createdAt <= until) yield item;
    }
    after = items.at(-1)?.id;
    if (items.length < pageItems) return;
  }
}

export function createRedeliveries(parts: RedeliveryParts): Redeliveries {
  const { store, clock, outbox, attemptMs } = parts;

  const again = ({ id, attempts }: Delivery, nextAttemptAt: number): Change & { op: "delivery.update" } => ({
    op: "delivery.update",
    id,
    status: "pending",
    attempts,
    nextAttemptAt,
  });

  /** The delivery when its next attempt is stored, or as it is when that takes too long. */
  async function attempted(delivery: Delivery): Promise<Delivery> {
    const until = monotonicMs() + attemptMs + commitMs;
    const before = JSON.stringify(delivery.attempts);
    for (;;) {
      await new Promise<void>((resolve) => void afterRealTime(lookMs, resolve));
      const { payload: _payload, ...found } = (await store.delivery(delivery.id)) ?? { ...delivery, payload: "" };
      if (JSON.stringify(found.attempts) !== before || monotonicMs() > until) return found;
    }
  }

  return {
    async one(webhook, delivery, { wait = false }) {
      checkActive(webhook);
      const change = again(delivery, clock.now());
      await store.commit([change]);
      outbox.queued([delivery]);
      const { status, nextAttemptAt } = change;
      const pending = { ...delivery, status, nextAttemptAt };
      return wait ? attempted(pending) : pending;
    },
    async many(webhook, filter) {
      checkActive(webhook);
      const found: Delivery[] = [];
      const { limit = Infinity } = filter;
      for await (const delivery of matching(parts, webhook.id, filter)) {
        if (found.length >= limit) break;
        found.push(delivery);
      }
      const now = clock.now();
      for (let start = 0; start < found.length; start += pageItems) {
        const some = found.slice(start, start + pageItems);
        await store.commit(some.map((delivery) => again(delivery, now)));
        outbox.queued(some);
      }
      return found.length;
    },
  };
}
