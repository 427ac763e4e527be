import type { CommittedEvent } from "../events/live.ts";
import type { Clock } from "../clock.ts";
import type { Dispatcher } from "../lane/dispatcher.ts";
import { errorRecord } from "../execution/error-record.ts";
import { messages, XError } from "../errors.ts";
import { nextEventId } from "../event-id.ts";
import { newSortableId } from "../ids.ts";
import type { Delivery } from "../listener-model.ts";
import type { StoredEvent } from "../model.ts";
import type { Limits, Logger } from "../options.ts";
import type { Resident, Residents } from "../lane/residents.ts";
import { secretMask } from "../execution/secret-mask.ts";
import type { Change, Store } from "../store/contract.ts";

export interface DeadLetterParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly residents: Residents;
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
  publish(events: readonly CommittedEvent[]): void;
}

/** The record of a delivery that failed for good, on the emitter's `$errors`. */
async function deadLetter(
  delivery: Delivery,
  text: string,
  resident: Resident,
  parts: DeadLetterParts,
): Promise<StoredEvent> {
  const now = parts.clock.now();
  const payload = (await parts.store.delivery(delivery.id))?.payload ?? "null";
  const failed = {
    executionId: delivery.emitId,
    type: "SUBSCRIPTION",
    entry: "delivery",
    event: payload,
    at: delivery.createdAt,
  } as const;
  const mask = secretMask(resident.component, resident.source, {});
  const error = { code: "delivery_failed", name: "delivery_failed", message: text, stack: text };
  return {
    emitterId: delivery.emitterId,
    stream: "$errors",
    id: nextEventId(resident.heads.$errors, now),
    emitId: newSortableId(now),
    name: "$errors",
    payload: errorRecord(resident.source, failed, error, { now, mask }),
  };
}

/**
 * Ends a delivery that failed for good: `changes`, and a record on the emitter's `$errors`, in one commit (G13). What
 * reports an error never leads to such a record itself.
 */
export async function buryDelivery(
  delivery: Delivery,
  problem: string,
  changes: readonly Change[],
  parts: DeadLetterParts,
): Promise<void> {
  const { store, dispatcher, residents, limits, logger } = parts;
  const { emitterId, webhookId, attempts, eventName } = delivery;
  logger.error("a webhook delivery failed for good", { webhook: webhookId, delivery: delivery.id, error: problem });
  if (eventName === "$errors") return store.commit(changes);
  const text = messages.delivery_failed(webhookId, String(attempts.length), problem);
  // In the emitter's lane: only there are the heads of its streams known.
  return dispatcher.run(
    emitterId,
    async () => {
      const resident = await residents.get(emitterId).catch((error: unknown) => {
        if (XError.is(error) && error.code === "not_found") return undefined;
        throw error;
      });
      if (!resident) return store.commit(changes);
      const event = await deadLetter(delivery, text, resident, parts);
      const trim: Change = { op: "events.trim", emitterId, stream: "$errors", keep: limits.retention };
      await store.commit([...changes, { op: "event.add", event }, trim]);
      resident.heads = { ...resident.heads, $errors: event.id };
      residents.put(resident);
      parts.publish([{ event, source: resident.source }]);
    },
    "first",
  );
}
