import { afterAll, beforeAll, expect, test } from "vitest";

import type { Component, EventSchema, Source } from "@x/client";

import { component, type Data, type Service, startService } from "./fixture.ts";

const order = {
  type: "object",
  properties: { id: { type: "string" }, total: { type: "number" } },
  required: ["id"],
};
const declaring = component({
  name: "Declaring",
  run: "this.$emit(event)",
  more: `key: "declaring", emits: ${JSON.stringify(order)},`,
});

let service: Service;
beforeAll(async () => {
  service = await startService({ registry: [{ code: declaring }] });
});
afterAll(() => service[Symbol.asyncDispose]());

const read = async (id: string): Promise<EventSchema> =>
  (await service.call<Data<EventSchema>>("GET", `/sources/${id}/event_schema`)).body.data;
const deploy = async (more: string): Promise<string> =>
  (await service.deploy(component({ name: "Emitting", run: "this.$emit(event.event, { name: event.name })", more })))
    .id;

test("a component of the registry shows the schema that it declares", async () => {
  const { body } = await service.call<Data<Component>>("GET", "/components/registry/declaring");
  expect(body.data.emits).toEqual({ schema: order, from: "emits" });
});

test("the events of a source look as its component declares, whatever it emits", async () => {
  const { id } = await service.deploy(declaring);
  await service.run(id, { n: 1 });
  expect(await read(id)).toEqual({ schema: order, from: "emits", events: 0 });
});

test("without a declaration they look like the example, and then like the stored events of all channels", async () => {
  const id = await deploy("sampleEmit: { sample: true },");
  const sampled = { type: "object", properties: { sample: { type: "boolean" } }, required: ["sample"] };
  expect(await read(id)).toEqual({ schema: sampled, from: "sampleEmit", events: 0 });
  await service.run(id, { event: { id: 1, note: "n" } });
  await service.run(id, { event: { id: 2 }, name: "other" });
  expect(await read(id)).toEqual({
    schema: {
      type: "object",
      properties: { id: { type: "integer" }, note: { type: "string" } },
      required: ["id"],
    },
    from: "events",
    events: 2,
  });
});

test("events over 64 KiB do not count; without any, nothing is known", async () => {
  const id = await deploy("emits: {},");
  await service.run(id, { event: "x".repeat(70_000) });
  expect(await read(id)).toEqual({ schema: {}, from: "events", events: 0 });
});

test("an invalid schema is a warning, and the component runs", async () => {
  const code = component({ name: "Invalid", run: "this.$emit(1)", more: 'emits: { type: "object", required: 5 },' });
  const { id } = await service.deploy(code);
  const { body } = await service.call<Data<Source>>("GET", `/sources/${id}`);
  expect(body.data.warnings).toMatchObject([{ rule: "emits-invalid", path: "/emits/required" }]);
  expect(await read(id)).toEqual({ schema: {}, from: "events", events: 0 });
});
