import {
  everySource,
  neverBack,
  type Clock,
  type Holding,
  type Logger,
  type QueuedDelivery,
  type Webhook,
} from "@x/model";
import { createOutboxWork } from "./outbox-work.ts";
import type { DeliveryLane, Store } from "@x/store";
import { attemptDelivery, type Attempted } from "./attempt.ts";
import { type AttemptResultsParts, createAttemptResults } from "./attempt-result.ts";
import type { TextMask } from "../invocation/secrets/secret-mask.ts";
import type { Poster } from "./contract.ts";
import type { Tracing } from "../observe/contract.ts";
import { createDeliveryLanes, type Lane } from "./delivery-lanes.ts";
import type { Turn } from "./rotation.ts";

export interface OutboxParts extends AttemptResultsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly post: Poster["post"];
  readonly tracing?: Tracing | undefined;
  /** Hides the secrets of an emitter in what receivers answer. Never rejects. */
  maskOf(emitterId: string): Promise<TextMask>;
  /** Maximum number of POSTs at once; a POST to an idle webhook may exceed it, up to four times as many. */
  readonly sockets: number;
  readonly holding?: Pick<Holding, "isHeld">;
  webhook(id: string): Webhook | undefined;
}

type ReadLanes = () => Promise<readonly DeliveryLane[]>;

/** Sends the pending deliveries of the store, each at least once. */
export interface Outbox {
  /** Sends what is pending in the store, or in these lanes of it. */
  start(read?: ReadLanes): Promise<void>;
  /**
   * Leaves the deliveries of these emitters in the store. Resolves when their attempts have ended, of which those that
   * take longer than `graceMs` do not count.
   */
  stop(isGone: (emitterId: string) => boolean, graceMs: number): Promise<void>;
  /** Deliveries of these lanes are due. */
  queued(lanes: readonly Lane[]): void;
  /** Sends what is pending for a webhook that has become active. */
  wake(webhookId: string): Promise<void>;
  /** Resolves when nothing is due; true when it had to wait for that. */
  idle(): Promise<boolean>;
  /** Starts no further attempt. Attempts under way get `graceMs` milliseconds; after that they do not count. */
  close(graceMs: number): Promise<void>;
}

/** Most characters of a delivery that is sent while all sockets are taken: those hold up to 6 MiB each. */
const largestSpare = 256 * 1024;
/** How long a lane waits after a commit failed. */
const retryMs = 1_000;

/** When the next delivery of a lane is due, and the delivery if that is now. */
async function findNext(
  store: Pick<Store, "nextDelivery">,
  { webhookId, emitterId }: Lane,
  now: number,
): Promise<{ readonly at: number; readonly due: QueuedDelivery | undefined; readonly isLast: boolean } | undefined> {
  const next = await store.nextDelivery(webhookId, emitterId);
  if (!next) return undefined;
  const { delivery, isLast } = next;
  const at = delivery.nextAttemptAt ?? now;
  return { at, due: at <= now ? delivery : undefined, isLast };
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { store, logger } = parts;
  // When the system's time is set back by an hour, a retry that is due in a minute must not wait for an hour.
  const clock = neverBack(parts.clock);
  const lanes = createDeliveryLanes(parts.sockets, clock, pump);
  const results = createAttemptResults({ ...parts, clock });
  const { isHeld } = parts.holding ?? everySource;
  const work = createOutboxWork();
  let started = false;
  let closed: Promise<void> | undefined;

  function pump(): void {
    if (!started || closed) return;
    for (let turn = lanes.take(); turn; turn = lanes.take()) {
      const { webhookId, emitterId, release } = turn;
      const lane = { webhookId, emitterId };
      const task = attemptNext(turn)
        .catch((error: unknown) => {
          release();
          const about = { source: emitterId, webhook: webhookId, error: String(error) };
          if (!closed) logger.error("a delivery could not be committed", about);
          return clock.now() + retryMs;
        })
        .then((nextAt) => {
          lanes.finish(lane, nextAt);
          if (!isHeld(emitterId)) lanes.forget((id) => id === emitterId);
        });
      work.add(emitterId, task, pump);
    }
  }

  /** Makes one attempt of a lane; resolves to the time of the lane's next one. */
  async function attemptNext({ release, isSpare, ...lane }: Turn): Promise<number | undefined> {
    if (!isHeld(lane.emitterId)) {
      release();
      return undefined;
    }
    const webhook = parts.webhook(lane.webhookId);
    // Deliveries of an inactive webhook wait until it is active again.
    const next = webhook?.active ? await findNext(store, lane, clock.now()) : undefined;
    const delivery = next?.due;
    const isLarge = isSpare && delivery !== undefined && delivery.payload.length > largestSpare;
    lanes.setLarge(lane, isLarge);
    if (!webhook || !delivery || isLarge) release();
    if (isLarge) return clock.now();
    if (!webhook) await store.commit([{ op: "webhook.delete", id: lane.webhookId }]);
    if (!webhook || !next) return undefined;
    if (!delivery) return next.at;

    const make = (signal: AbortSignal): Promise<Attempted> => attemptDelivery(delivery, webhook, { ...parts, signal });
    const { aborted, ...attempted } = await work.attempt(lane.emitterId, make);
    // An attempt that was aborted does not count.
    if (aborted && !attempted.reply) {
      release();
      return undefined;
    }
    const { error } = attempted.attempt;
    release(error === null);
    await results.commit(delivery, webhook, attempted);
    return error === null && next.isLast ? undefined : clock.now();
  }

  const load = async (read: ReadLanes): Promise<void> => {
    for (const lane of await read()) if (isHeld(lane.emitterId)) lanes.readyAt(lane, lane.at);
    pump();
  };

  function close(graceMs: number): Promise<void> {
    lanes.close();
    // Not all tasks: the commit of a result may wait for the lane of its emitter.
    return work.end(() => true, graceMs);
  }

  return {
    async start(read = () => store.deliveryLanes()) {
      started = true;
      await load(read);
    },
    async stop(isGone, graceMs) {
      lanes.forget(isGone);
      await work.end(isGone, graceMs);
      await work.ended(isGone);
    },
    queued(due) {
      // `start` finds in the store what is queued before it.
      if (!started || closed) return;
      for (const lane of due) if (isHeld(lane.emitterId)) lanes.ready(lane);
      pump();
    },
    wake: async (webhookId) => (started && !closed ? load(() => store.deliveryLanes(webhookId)) : undefined),
    async idle() {
      const waits = !work.isIdle;
      while (!work.isIdle) await work.ended(() => true);
      return waits;
    },
    close: (graceMs) => (closed ??= close(graceMs)),
  };
}
