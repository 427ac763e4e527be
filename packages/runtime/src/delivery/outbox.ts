import { type Clock, monotonicMs, systemClock } from "../clock.ts";
import { closedReason } from "../closing.ts";
import type { Delivery, DeliveryAttempt, DeliveryStatus, QueuedDelivery, Webhook } from "../model.ts";
import type { Logger } from "../options.ts";
import type { Change, DeliveryLane, Store } from "../store/contract.ts";
import type { Poster, PostReply } from "./contract.ts";
import { createRotation, type Rotation } from "./rotation.ts";
import { nextAttemptAt } from "./retry.ts";
import { deliveryBody, deliveryHeaders } from "./webhook.ts";

export interface OutboxParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: Poster["post"];
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds before each attempt. */
  readonly schedule: readonly number[];
  /** Most POSTs at once. */
  readonly sockets: number;
  webhook(id: string): Webhook | undefined;
  /** The receiver said that it is gone for good. */
  deactivate(webhookId: string): Promise<void>;
  /** Commits the end of a delivery that failed for good. */
  bury(delivery: Delivery, problem: string, changes: readonly Change[]): Promise<void>;
}

/** Sends what the store holds as pending, each delivery at least once (G13). */
export interface Outbox {
  /** Begins with what a former process left. */
  start(): Promise<void>;
  /** Deliveries of these lanes are due. */
  queued(lanes: readonly Pick<DeliveryLane, "webhookId" | "emitterId">[]): void;
  /** The webhook is active again: what waited for it goes out. */
  wake(webhookId: string): Promise<void>;
  /** Resolves when nothing is due; true when it had to wait for that. */
  idle(): Promise<boolean>;
  /** Begins no attempt any more; those under way get `graceMs`, then they count as not made (S19). */
  close(graceMs: number): Promise<void>;
}

interface Ended {
  readonly reply: PostReply | undefined;
  readonly attempt: DeliveryAttempt;
}

/** How many deliveries of a webhook remain to be looked at and sent again. */
const kept: { readonly [status in Exclude<DeliveryStatus, "pending">]: number } = { delivered: 100, dead: 1_000 };
const trimEvery = 50;
/** How long a lane waits after the store refused what it did. */
const retryMs = 1_000;
const gone = 410;

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

export function createOutbox(parts: OutboxParts): Outbox {
  const { store, clock, logger, schedule } = parts;
  const rotation: Rotation = createRotation(parts.sockets);
  const tasks = new Set<Promise<void>>();
  const sends = new Set<Promise<Ended>>();
  /** Lanes that have something to do later. */
  const resting = new Map<string, () => void>();
  /** Lanes whose attempt is under way or being committed. True: something came meanwhile. */
  const busy = new Map<string, boolean>();
  const finished = new Map<string, number>();
  const cancelled = new AbortController();
  let started = false;
  let closed: Promise<void> | undefined;

  type Lane = Pick<DeliveryLane, "webhookId" | "emitterId">;
  const keyOf = ({ webhookId, emitterId }: Lane): string => `${webhookId} ${emitterId}`;

  function ready(lane: Lane): void {
    const key = keyOf(lane);
    resting.get(key)?.();
    resting.delete(key);
    if (busy.has(key)) busy.set(key, true);
    else rotation.add(lane.webhookId, lane.emitterId);
  }

  function rest(lane: Lane, at: number): void {
    if (closed) return;
    if (at <= clock.now()) return ready(lane);
    const key = keyOf(lane);
    resting.get(key)?.();
    const cancel = clock.wakeAt(at, () => {
      ready(lane);
      pump();
    });
    resting.set(key, cancel);
  }

  function pump(): void {
    if (!started || closed) return;
    for (let next = rotation.take(); next; next = rotation.take()) {
      const { release, ...lane } = next;
      busy.set(keyOf(lane), false);
      const task = attemptNext(lane, release)
        .catch((error: unknown) => {
          release();
          if (!closed) logger.error("a delivery could not be committed", { ...lane, error: String(error) });
          return clock.now() + retryMs;
        })
        .then((at) => {
          const again = busy.get(keyOf(lane)) === true;
          busy.delete(keyOf(lane));
          if (again) ready(lane);
          else if (at !== undefined) rest(lane, at);
          tasks.delete(task);
          pump();
        });
      tasks.add(task);
    }
  }

  /** Makes one attempt of a lane; gives the time of the lane's next one. `release` gives the socket back. */
  async function attemptNext(lane: Lane, release: (succeeded?: boolean) => void): Promise<number | undefined> {
    const webhook = parts.webhook(lane.webhookId);
    // What waits for an inactive webhook goes out when it is active again.
    const delivery = webhook?.active ? await store.dueDelivery(lane.webhookId, lane.emitterId, clock.now()) : undefined;
    if (!webhook || !delivery) {
      release();
      if (!webhook) await store.commit([{ op: "webhook.delete", id: lane.webhookId }]);
      return webhook?.active ? (await store.deliveryLanes(lane.webhookId, lane.emitterId))[0]?.at : undefined;
    }
    const sending = send(delivery, webhook);
    sends.add(sending);
    const ended = await sending.finally(() => sends.delete(sending));
    // It was cut off by the end of the process, not by the receiver: it did not happen.
    if (cancelled.signal.aborted && !ended.reply) {
      release();
      return undefined;
    }
    release(ended.reply !== undefined && isSuccess(ended.reply.status));
    await settle(delivery, ended);
    return clock.now();
  }

  async function send(delivery: QueuedDelivery, webhook: Webhook): Promise<Ended> {
    const at = clock.now();
    const start = monotonicMs();
    const attempt = { at, httpStatus: null, error: null };
    const body = deliveryBody(delivery, webhook);
    const headers = deliveryHeaders(delivery, webhook, body, at);
    try {
      const reply = await parts.post({ url: webhook.url, headers, body }, cancelled.signal);
      const error = isSuccess(reply.status) ? null : `the receiver answered ${reply.status}`;
      return { reply, attempt: { ...attempt, httpStatus: reply.status, error, durationMs: monotonicMs() - start } };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      return { reply: undefined, attempt: { ...attempt, error: problem, durationMs: monotonicMs() - start } };
    }
  }

  async function settle(delivery: QueuedDelivery, { reply, attempt }: Ended): Promise<void> {
    const { payload: _payload, ...bare } = delivery;
    const attempts = [...delivery.attempts, attempt];
    const update = (status: DeliveryStatus, nextAt: number | null): Change => ({
      op: "delivery.update",
      id: delivery.id,
      status,
      attempts,
      nextAttemptAt: nextAt,
    });
    if (attempt.error === null) {
      await store.commit([update("delivered", null), ...trims(delivery.webhookId, "delivered")]);
      return;
    }
    const isGone = reply?.status === gone;
    const next = isGone
      ? undefined
      : nextAttemptAt({
          made: attempts.length,
          now: clock.now(),
          retryAfter: reply?.retryAfter,
          schedule,
          random: parts.random(),
        });
    if (next !== undefined) {
      await store.commit([update("pending", next)]);
      return;
    }
    if (isGone) await parts.deactivate(delivery.webhookId);
    const changes = [update("dead", null), ...trims(delivery.webhookId, "dead")];
    await parts.bury({ ...bare, attempts }, attempt.error, changes);
  }

  /** Now and then, what makes room for newer deliveries. */
  function trims(webhookId: string, status: Exclude<DeliveryStatus, "pending">): Change[] {
    const key = `${webhookId} ${status}`;
    const count = (finished.get(key) ?? 0) + 1;
    finished.set(key, count % trimEvery);
    return count < trimEvery ? [] : [{ op: "deliveries.trim", webhookId, status, keep: kept[status] }];
  }

  const load = async (webhookId?: string): Promise<void> => {
    for (const lane of await store.deliveryLanes(webhookId)) rest(lane, lane.at);
    pump();
  };

  async function close(graceMs: number): Promise<void> {
    for (const cancel of resting.values()) cancel();
    const waited = Promise.withResolvers<void>();
    const cancel = systemClock.wakeAt(systemClock.now() + graceMs, waited.resolve);
    await Promise.race([Promise.all(tasks), waited.promise]);
    cancel();
    cancelled.abort(closedReason);
    // Not for the rest of the tasks: the end of a delivery may wait for its emitter's lane.
    await Promise.all(sends);
  }

  return {
    async start() {
      started = true;
      await load();
    },
    queued(lanes) {
      // Before the start they only wait: `start` finds them in the store.
      if (!started || closed) return;
      for (const lane of lanes) ready(lane);
      pump();
    },
    wake: async (webhookId) => (started && !closed ? load(webhookId) : undefined),
    async idle() {
      const waits = tasks.size > 0;
      while (tasks.size > 0) await Promise.all(tasks);
      return waits;
    },
    close: (graceMs) => (closed ??= close(graceMs)),
  };
}
