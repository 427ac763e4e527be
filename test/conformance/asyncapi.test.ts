import { Parser } from "@asyncapi/parser";
import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type Service, startService } from "./fixture.ts";
import type { WebhookBody } from "./webhook-bodies.ts";

interface Description {
  readonly channels: { readonly [id: string]: { readonly address: string; readonly messages: object } };
  readonly operations: object;
  readonly components: { readonly schemas: { readonly [name: string]: object } };
}

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: {
    id: { type: "string" },
    lines: { type: "array", items: { $ref: "#/$defs/line" } },
    parent: { $ref: "#" },
  },
  required: ["id"],
  $defs: { line: { type: "object", properties: { sku: { type: ["string", "null"] } } } },
};
const declaring = component({ name: "Orders", run: "this.$emit(event)", more: `emits: ${JSON.stringify(schema)},` });
const plain = component({ name: "Plain", run: "this.$emit(event)" });

async function webhook(format: string, emitter: string, event = ""): Promise<string> {
  const url = `https://archive.example/${format}?token={a}`;
  const created = await service.call<Data<WebhookBody>>("POST", "/webhooks", { url, format, name: format });
  const { id } = created.body.data;
  await service.call("POST", "/subscriptions", { emitter_id: emitter, listener_id: id, event_name: event });
  return id;
}

test("the AsyncAPI description of streams and webhooks is valid, and has their schemas", async () => {
  const orders = (await service.deploy(declaring)).id;
  const counted = (await service.deploy(plain)).id;
  await service.run(counted, { n: 1 });
  const workflow = await service.runtime.workflow({ id: "p_flow", name: "Flow", handler: () => undefined });
  const [event, envelope, structured, binary] = [
    await webhook("event", orders),
    await webhook("envelope", counted, "line"),
    await webhook("cloudevents", "dc_*", "$errors"),
    await webhook("cloudevents-binary", orders, "$logs"),
  ];
  const { status, body } = await service.call<Description>("GET", "/asyncapi.json");
  expect(status).toBe(200);

  const { document, diagnostics } = await new Parser().parse(JSON.stringify(body));
  // There is no document when one of them is an error.
  expect(document, JSON.stringify(diagnostics)).toBeDefined();
  const channels = document?.channels().all() ?? [];
  expect(channels.map((channel) => channel.id()).toSorted()).toEqual(
    [orders, counted, workflow.id, event, envelope, structured, binary].toSorted(),
  );
  expect(
    document
      ?.operations()
      .all()
      .every((operation) => operation.isSend()),
  ).toBe(true);

  expect(body.channels[orders]?.address).toBe(`/sources/${orders}/sse`);
  expect(body.channels[workflow.id]?.address).toBe(`/workflows/${workflow.id}/sse`);
  const at = `#/components/schemas/${orders}`;
  expect(body.components.schemas[orders]).toMatchObject({
    properties: { lines: { items: { $ref: `${at}/$defs/line` } }, parent: { $ref: at } },
  });
  expect(body.components.schemas[counted]).toEqual({
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  });
  const messageOf = (id: string): unknown => Object.values(body.channels[id]?.messages ?? {})[0];
  expect(messageOf(event)).toMatchObject({ name: "default", contentType: "application/json", payload: { $ref: at } });
  expect(messageOf(envelope)).toMatchObject({
    name: "line",
    payload: { properties: { event: { $ref: `#/components/schemas/${counted}` } } },
  });
  expect(messageOf(structured)).toMatchObject({
    contentType: "application/cloudevents+json",
    payload: { properties: { data: { $ref: "#/components/schemas/ErrorRecord" } } },
  });
  expect(messageOf(binary)).toMatchObject({
    headers: { $ref: "#/components/schemas/CloudEventHeaders" },
    payload: { $ref: "#/components/schemas/LogRecord" },
  });
});
