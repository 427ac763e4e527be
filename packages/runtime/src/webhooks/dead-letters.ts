import { errorText } from "../model/error-catalogue/catalogue.ts";
import { recordError, type RecordErrorParts } from "../invocation/records/record-error.ts";
import type { Delivery } from "../model/listener-model.ts";
import type { Logger } from "../api/options.ts";
import type { Change } from "../store/contract.ts";

export interface DeadLetterParts extends RecordErrorParts {
  readonly logger: Logger;
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
