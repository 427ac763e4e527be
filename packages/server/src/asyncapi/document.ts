import { type Subscription, version, type WebhookView } from "@x/runtime";

import { schemas, schemaRef, type Schema } from "@x/resources";
import { deliveryHeaders, deliveryMessage } from "./delivery-message.ts";
import { type DescribedEmitter, movedSchema } from "./emitters.ts";

type Json = Readonly<Record<string, unknown>>;

/** What a user has that sends events. */
export interface DescribedUser {
  readonly username: string;
  readonly emitters: readonly DescribedEmitter[];
  readonly webhooks: readonly WebhookView[];
  readonly subscriptions: readonly Subscription[];
}

const introduction = [
  "What sources and workflows emit, as streams of server-sent events, and as deliveries to webhooks.",
  "",
  "Addresses of streams are below the base URL of the service, which ends in `/v1`, and need `Authorization: Bearer <API key>`.",
  "A schema is what the component declares in `emits`, else what its stored events or its `sampleEmit` are like.",
].join("\n");

/** The records of a stream that is not the component's own. */
const records: Readonly<Record<string, string>> = { $errors: "ErrorRecord", $logs: "LogRecord" };

/** The schema of what a subscription brings. */
function subscribedSchema({ emitterId, eventName }: Subscription, known: ReadonlySet<string>): Schema {
  const record = records[eventName];
  if (record !== undefined) return schemaRef(record);
  return known.has(emitterId) ? schemaRef(emitterId) : {};
}

function streamChannel({ id, name }: DescribedEmitter): Json {
  const isWorkflow = id.startsWith("p_");
  const event = isWorkflow ? { type: "object", properties: { raw_event: schemaRef(id) } } : schemaRef(id);
  const summary = schemas["EventSummary"] as { readonly properties: object };
  return {
    address: `/${isWorkflow ? "workflows" : "sources"}/${id}/sse`,
    title: name,
    description: "Server-sent events: `data` is the message, `id` the id of the event.",
    messages: {
      event: {
        name: "event",
        contentType: "application/json",
        payload: { ...summary, properties: { ...summary.properties, event } },
      },
    },
  };
}

function webhookChannel(
  webhook: WebhookView,
  subscriptions: readonly Subscription[],
  known: ReadonlySet<string>,
): Json {
  const messages = subscriptions.map((each) => [
    each.id,
    {
      name: each.eventName === "" ? "default" : each.eventName,
      title: `From ${each.emitterId}`,
      ...deliveryMessage(webhook.format, subscribedSchema(each, known)),
    },
  ]);
  return {
    address: webhook.url,
    title: webhook.name ?? webhook.url,
    ...(webhook.description !== null && { description: webhook.description }),
    messages: Object.fromEntries(messages),
  };
}

/** The AsyncAPI 3.0 description of a user's streams and webhooks. */
export function describeEvents({ username, emitters, webhooks, subscriptions }: DescribedUser): Json {
  const known = new Set(emitters.map(({ id }) => id));
  const streams = emitters.map((emitter): [string, Json] => [emitter.id, streamChannel(emitter)]);
  const byListener = Map.groupBy(subscriptions, ({ listenerId }) => listenerId);
  const deliveries = webhooks.map((webhook): [string, Json] => [
    webhook.id,
    webhookChannel(webhook, byListener.get(webhook.id) ?? [], known),
  ]);
  const channels = Object.fromEntries([...streams, ...deliveries]);
  const operation = (id: string, method: string): [string, Json] => [
    `send_${id}`,
    { action: "send", channel: { $ref: `#/channels/${id}` }, bindings: { http: { method, bindingVersion: "0.3.0" } } },
  ];
  return {
    asyncapi: "3.0.0",
    info: { title: `Events of ${username}`, version, description: introduction, license: { name: "MIT" } },
    defaultContentType: "application/json",
    channels,
    operations: Object.fromEntries([
      ...emitters.map(({ id }) => operation(id, "GET")),
      ...webhooks.map(({ id }) => operation(id, "POST")),
    ]),
    components: {
      schemas: {
        ...Object.fromEntries(
          emitters.map(({ id, schema }) => [id, movedSchema(schema, `#/components/schemas/${id}`)]),
        ),
        ...Object.fromEntries(Object.values(records).map((name) => [name, schemas[name]])),
        ...deliveryHeaders,
      },
      securitySchemes: { apiKey: { type: "http", scheme: "bearer", description: "The API key of an account." } },
    },
  };
}
