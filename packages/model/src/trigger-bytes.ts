import type { Trigger } from "./model.ts";

/** Size of a trigger's event, body and head in the store. */
export const triggerBytes = ({ event, body, received }: Pick<Trigger, "event" | "body" | "received">): number =>
  Buffer.byteLength(event) + (body?.byteLength ?? 0) + (received === undefined ? 0 : Buffer.byteLength(received));
