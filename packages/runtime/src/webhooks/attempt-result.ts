import {
  errorText,
  type Clock,
  type Delivery,
  type DeliveryStatus,
  type Logger,
  type QueuedDelivery,
  type Webhook,
} from "@x/model";
import { recordError, type RecordErrorParts } from "../invocation/records/record-error.ts";
import type { Observer } from "../observe/contract.ts";
import type { Change, Store } from "@x/store";
import { addAttempt } from "./attempt-response.ts";
import type { Attempted } from "./attempt.ts";
import { nextAttemptAt } from "./retry.ts";

export interface AttemptResultsParts {
  readonly store: Pick<Store, "commit">;
  readonly clock: Pick<Clock, "now">;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Milliseconds before each attempt. */
  readonly schedule: readonly number[];
  /** The receiver answered that it is gone for good. */
  deactivate(webhookId: string): Promise<void>;
  readonly observer: Pick<Observer, "attempted" | "working">;
  /** Commits the changes that end a delivery after its last failure. */
  deadLetter(delivery: Delivery, problem: string, changes: readonly Change[]): Promise<void>;
}

/** Stores the results of attempts: delivered, dead, or pending until the next attempt. */
export interface AttemptResults {
  commit(delivery: QueuedDelivery, webhook: Webhook, attempted: Attempted): Promise<void>;
}

type FinalStatus = Exclude<DeliveryStatus, "pending">;

type Result =
  | { readonly status: "delivered" }
  | { readonly status: "pending"; readonly nextAt: number }
  /** `problem`: of the last attempt. */
  | { readonly status: "dead"; readonly problem: string; readonly isGone: boolean };

const gone = 410;
/** Finished deliveries of a webhook that stay readable, and can be sent again. */
export const retained: { readonly [status in FinalStatus]: number } = { delivered: 100, dead: 1_000 };
const trimEvery = 50;

/** `made`: the attempts so far, this one included. A receiver that is gone for good ends the delivery at once. */
function resultOf(
  { reply, attempt }: Attempted,
  made: number,
  { clock, schedule, random }: Pick<AttemptResultsParts, "clock" | "schedule" | "random">,
): Result {
  const { error: problem } = attempt;
  if (problem === null) return { status: "delivered" };
  if (reply?.status === gone) return { status: "dead", problem, isGone: true };
  const rules = { made, now: clock.now(), retryAfter: reply?.retryAfter, schedule, random: random() };
  const nextAt = nextAttemptAt(rules);
  return nextAt === undefined ? { status: "dead", problem, isGone: false } : { status: "pending", nextAt };
}

export function createAttemptResults(parts: AttemptResultsParts): AttemptResults {
  const { store } = parts;
  const finished = new Map<string, number>();

  /** Trims the finished deliveries of a webhook, once in `trimEvery` calls. */
  function trims(webhookId: string, status: FinalStatus): Change[] {
    const key = `${webhookId} ${status}`;
    const count = (finished.get(key) ?? 0) + 1;
    finished.set(key, count % trimEvery);
    return count < trimEvery ? [] : [{ op: "deliveries.trim", webhookId, status, keep: retained[status] }];
  }

  return {
    async commit(delivery, webhook, attempted) {
      const { payload: _payload, ...bare } = delivery;
      const attempts = addAttempt(delivery.attempts, attempted.attempt);
      const result = resultOf(attempted, attempts.length, parts);
      const nextAttemptAt = result.status === "pending" ? result.nextAt : null;
      const update: Change = { op: "delivery.update", id: delivery.id, status: result.status, attempts, nextAttemptAt };
      if (result.status === "pending") await store.commit([update]);
      else {
        const changes = [update, ...trims(delivery.webhookId, result.status)];
        if (result.status === "delivered") await store.commit(changes);
        else {
          if (result.isGone) await parts.deactivate(delivery.webhookId);
          await parts.deadLetter({ ...bare, attempts }, result.problem, changes);
        }
      }
      parts.observer.attempted({ delivery: bare, webhook, attempt: attempted.attempt, status: result.status });
    },
  };
}

export interface DeadLetterParts extends RecordErrorParts {
  readonly logger: Logger;
}

/**
 * Commits `changes`, which end a failed delivery, together with a record on the emitter's `$errors`. The delivery of a
 * record of `$errors` adds no further record.
 */
export async function deadLetter(
  delivery: Delivery,
  problem: string,
  changes: readonly Change[],
  parts: DeadLetterParts,
): Promise<void> {
  const { store, logger } = parts;
  const { emitterId, webhookId, attempts, eventName, emitId, createdAt } = delivery;
  logger.error("a webhook delivery failed for good", { webhook: webhookId, delivery: delivery.id, error: problem });
  if (eventName === "$errors") return store.commit(changes);
  const message = errorText("delivery_failed", webhookId, String(attempts.length), problem);
  const describe = async () => {
    const event = (await store.delivery(delivery.id))?.payload ?? "null";
    const failed = { executionId: emitId, type: "SUBSCRIPTION", entry: "delivery", event, at: createdAt } as const;
    return { failed, error: { code: "delivery_failed" as const, message }, changes };
  };
  return recordError(emitterId, describe, parts);
}
