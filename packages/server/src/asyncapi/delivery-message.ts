import type { WebhookFormat } from "@x/runtime";

import { record, schemaRef, type Schema } from "@x/resources";

const text = (description: string): Schema => ({ type: "string", description });

const standardHeaders = {
  "webhook-id": text("The same at every attempt."),
  "webhook-timestamp": text("Epoch seconds of the attempt."),
  "webhook-signature": text(
    "`v1,` and the signature in base64, as Standard Webhooks describes; several while a key is replaced.",
  ),
  "x-attempt": text("Counts from 1."),
  "x-emit-id": text("Id of the emit."),
  "x-emitter-id": text("The source or workflow."),
  "x-event-id": text("Id of the event in its stream."),
  "x-event-name": text("The channel; empty for the default stream, `$errors` and `$logs` for those streams."),
  "x-event-ts": text("The time of the event, epoch milliseconds."),
};

const attributes = {
  specversion: { type: "string", const: "1.0" },
  id: text("Id of the emit."),
  source: { type: "string", format: "uri-reference", description: "Path of the emitter." },
  type: text("`default`, the channel, `$errors` or `$logs`."),
  time: { type: "string", format: "date-time", description: "The time of the event." },
};

const ceHeaders = Object.fromEntries(Object.entries(attributes).map(([name, schema]) => [`ce-${name}`, schema]));

/** The headers of deliveries, by name. */
export const deliveryHeaders: Readonly<Record<string, Schema>> = {
  DeliveryHeaders: record(standardHeaders),
  CloudEventHeaders: record({ ...standardHeaders, ...ceHeaders }, ["ce-time"]),
};

/** The message of a delivery without its name: what a webhook of this format gets for events of this schema. */
export function deliveryMessage(format: WebhookFormat, event: Schema): Readonly<Record<string, unknown>> {
  const message = (payload: Schema, contentType = "application/json", headers = "DeliveryHeaders") => ({
    contentType,
    headers: schemaRef(headers),
    payload,
  });
  switch (format) {
    case "event":
      return message(event);
    case "envelope":
      return message(
        record({
          id: text("Id of the event."),
          ts: { type: "number", description: "Epoch milliseconds." },
          name: text("The channel; empty for the default stream."),
          emitter_id: text("The source or workflow."),
          event,
        }),
      );
    case "cloudevents":
      return message(
        record({ ...attributes, datacontenttype: { type: "string", const: "application/json" }, data: event }, [
          "time",
        ]),
        "application/cloudevents+json",
      );
    case "cloudevents-binary":
      return message(event, "application/json", "CloudEventHeaders");
  }
}
