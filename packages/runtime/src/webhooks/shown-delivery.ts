import type { Delivery } from "../api/api.ts";
import { formatEventId } from "../model/event-id.ts";
import type { Delivery as DeliveryRecord } from "../model/listener-model.ts";

/** The delivery as callers see it. */
export const shownDelivery = (delivery: DeliveryRecord): Delivery => ({
  ...delivery,
  eventId: formatEventId(delivery.eventId),
});
