import { createHmac } from "node:crypto";

import { afterEach } from "vitest";

import { type ManualClock, manualClock } from "../../../model/src/process/clock.ts";
import type { Post } from "./contract.ts";
import type { Delivery, QueuedDelivery } from "../../../model/src/listener-model.ts";
import { createPoster } from "../network/poster.ts";
import { silentLogger } from "../../../model/src/logger.ts";
import type { Store } from "../../../store/src/contract.ts";
import { addDelivery, exampleDelivery, exampleWebhook } from "../../../store/src/conformance/examples.cases.ts";
import { createMemoryStore } from "../../../store/src/memory/memory.ts";
import { loadListeners } from "../subscriptions/listeners.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { type Receiver, startReceiver } from "./receiver.cases.ts";
import { standardSchedule } from "./retry.ts";

/** 2026-11-20T18:00:00Z. */
export const startMs = 1_795_197_600_000;
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** An outbox with a memory store, a manual clock, a real HTTP client, and a receiver on loopback. */
export interface Trial {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  readonly outbox: Outbox;
  /** Every attempt, in the order of their starts; they may arrive in another order. */
  readonly posted: readonly Post[];
  readonly deadLetters: { readonly id: string; readonly problem: string; readonly attempts: number }[];
  /** Adds a webhook with this URL. */
  webhook(id: string, url: string): Promise<void>;
  /** Stores deliveries and passes them to the outbox. */
  queue(...deliveries: QueuedDelivery[]): Promise<void>;
  advance(ms: number): Promise<void>;
  delivery(id: string): Promise<Delivery>;
  /** Another outbox on the same store, as after a restart. */
  restart(): Promise<Outbox>;
}

/** Closed after each test of the file. */
export async function openTrial(more: { random?: number; timeoutMs?: number; sockets?: number } = {}): Promise<Trial> {
  const clock = manualClock(startMs);
  const store = createMemoryStore();
  const receiver = await startReceiver();
  const deliverySockets = more.sockets ?? 64;
  const limits = { deliveryTimeoutMs: more.timeoutMs ?? 60_000, deliveryResponseBytes: 1_024, deliverySockets };
  const poster = createPoster({}, limits);
  const listeners = await loadListeners(store);
  const posted: Post[] = [];
  const deadLetters: Trial["deadLetters"][number][] = [];
  const create = (): Outbox => {
    const outbox = createOutbox({
      store,
      clock,
      logger: silentLogger,
      observer: { attempted: () => undefined, working: () => undefined },
      post(post, cancelled) {
        posted.push(post);
        return poster.post(post, cancelled);
      },
      maskOf: async () => ({ text: (text) => text.replaceAll("sesame-1234", "***") }),
      random: () => more.random ?? 0,
      schedule: standardSchedule,
      sockets: deliverySockets,
      webhook: listeners.webhook,
      async deactivate(id) {
        const webhook = await store.webhook(id);
        if (!webhook) throw new Error(`no webhook ${id}`);
        const change = { op: "webhook.put", webhook: { ...webhook, active: false } } as const;
        await store.commit([change]);
        listeners.apply([change]);
      },
      async deadLetter({ id, attempts }, problem, changes) {
        deadLetters.push({ id, problem, attempts: attempts.length });
        await store.commit(changes);
      },
    });
    cleanups.push(() => outbox.close(0));
    return outbox;
  };
  const outbox = create();
  await outbox.start();
  cleanups.unshift(
    () => receiver.close(),
    () => poster.close(),
  );
  return {
    store,
    clock,
    receiver,
    outbox,
    posted,
    deadLetters,
    async webhook(id, url) {
      const change = { op: "webhook.put", webhook: exampleWebhook(id, { url }) } as const;
      await store.commit([change]);
      listeners.apply([change]);
    },
    async queue(...deliveries) {
      await store.commit(deliveries.map(addDelivery));
      outbox.queued(deliveries);
    },
    async advance(ms) {
      clock.jump(ms);
      await outbox.idle();
    },
    async delivery(id) {
      const found = await store.delivery(id);
      if (!found) throw new Error(`no delivery ${id}`);
      return found;
    },
    async restart() {
      const next = create();
      await next.start();
      return next;
    },
  };
}

/** A delivery that is due at the start. */
export const queued = (id: string, more: Partial<QueuedDelivery> = {}): QueuedDelivery =>
  exampleDelivery(id, { createdAt: startMs, nextAttemptAt: startMs, emitId: id.slice(4), payload: `"${id}"`, ...more });

/** True when one of the signatures is that of the key, as a receiver verifies it. */
export function isSigned({ headers, body }: Receiver["received"][number], key: string): boolean {
  const content = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
  const mac = createHmac("sha256", Buffer.from(key.slice(6), "base64"))
    .update(content)
    .digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${mac}`);
}
