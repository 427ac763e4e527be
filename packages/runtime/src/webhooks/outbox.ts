import { type Clock, neverBack, systemClock } from "../process/clock.ts";
import { closedReason } from "../process/closing.ts";
import type { Delivery, DeliveryStatus, QueuedDelivery, Webhook } from "../model/listener-model.ts";
import type { Logger } from "../api/options.ts";
import type { Change, DeliveryLane, Store } from "../store/contract.ts";
import { afterAttempt, attemptDelivery, type Ended } from "./attempt.ts";
import type { Poster } from "./contract.ts";
import { createRotation, type Rotation, type Turn } from "./rotation.ts";

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

/** How many deliveries of a webhook remain to be looked at and sent again. */
const kept: { readonly [status in Exclude<DeliveryStatus, "pending">]: number } = { delivered: 100, dead: 1_000 };
const trimEvery = 50;
/** Most characters of a delivery that is sent while all sockets are taken: those hold up to 6 MiB each. */
const largestSpare = 256 * 1024;
/** How long a lane waits after the store refused what it did. */
const retryMs = 1_000;

export function createOutbox(parts: OutboxParts): Outbox {
  const { store, logger, schedule } = parts;
  // What was to be tried again in a minute is, though the system's time is set back by an hour.
  const clock = neverBack(parts.clock);
  const rotation: Rotation = createRotation(parts.sockets);
  const tasks = new Set<Promise<void>>();
  const sends = new Set<Promise<Ended>>();
  /** Lanes that have something to do later. */
  const resting = new Map<string, () => void>();
  /** Lanes whose attempt is under way or being committed. True: something came meanwhile. */
  const busy = new Map<string, boolean>();
  /** Lanes whose next delivery is too large for a spare socket. */
  const large = new Set<string>();
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
    else rotation.add(lane.webhookId, lane.emitterId, large.has(key));
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
      const { release, isSpare, ...lane } = next;
      busy.set(keyOf(lane), false);
      const task = attemptNext(lane, release, isSpare)
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
  async function attemptNext(lane: Lane, release: Turn["release"], isSpare: boolean): Promise<number | undefined> {
    const webhook = parts.webhook(lane.webhookId);
    // What waits for an inactive webhook goes out when it is active again.
    const delivery = webhook?.active ? await store.dueDelivery(lane.webhookId, lane.emitterId, clock.now()) : undefined;
    if (!webhook || !delivery) {
      large.delete(keyOf(lane));
      release();
      if (!webhook) await store.commit([{ op: "webhook.delete", id: lane.webhookId }]);
      return webhook?.active ? (await store.deliveryLanes(lane.webhookId, lane.emitterId))[0]?.at : undefined;
    }
    if (isSpare && delivery.payload.length > largestSpare) {
      large.add(keyOf(lane));
      release();
      return clock.now();
    }
    large.delete(keyOf(lane));
    const sending = attemptDelivery(delivery, webhook, {
      post: parts.post,
      clock: parts.clock,
      signal: cancelled.signal,
    });
    sends.add(sending);
    const ended = await sending.finally(() => sends.delete(sending));
    // It was cut off by the end of the process, not by the receiver: it did not happen.
    if (cancelled.signal.aborted && !ended.reply) {
      release();
      return undefined;
    }
    release(ended.attempt.error === null);
    await settle(delivery, ended);
    return clock.now();
  }

  async function settle(delivery: QueuedDelivery, ended: Ended): Promise<void> {
    const { payload: _payload, ...bare } = delivery;
    const attempts = [...delivery.attempts, ended.attempt];
    const after = afterAttempt(ended, attempts.length, { now: clock.now(), schedule, random: parts.random });
    const nextAttemptAt = after.status === "pending" ? after.nextAt : null;
    const update: Change = { op: "delivery.update", id: delivery.id, status: after.status, attempts, nextAttemptAt };
    if (after.status === "pending") return store.commit([update]);
    const changes = [update, ...trims(delivery.webhookId, after.status)];
    if (after.status === "delivered") return store.commit(changes);
    if (after.isGone) await parts.deactivate(delivery.webhookId);
    return parts.bury({ ...bare, attempts }, after.problem, changes);
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
