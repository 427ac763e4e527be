import { afterAll, beforeAll, expect, test } from "vitest";

import type { Json } from "@x/runtime";

import { component, type Data, type Service, type SourceBody, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

const http = 'http: { type: "$.interface.http", customResponse: true }';
const answering =
  "this.$emit(event); this.http.respond({ status: 201, headers: { tag: event.method }, body: event.body });";
const deploy = (more = "", props = http): Promise<SourceBody> =>
  service.deploy(component({ props, more, run: answering }));
const ran = async (id: string, event?: Json): Promise<object> => {
  const { status, response } = await service.run(id, event);
  expect(status).toBe("ok");
  const events = await service.emitted(id);
  return { response, event: events.at(-1) };
};

test.each([
  ["", {}],
  ["sampleEmit: { id: 7, items: [1] },", { id: 7, items: [1] }],
  ['sampleEmit: "text",', "text"],
])("S53 a source with an HTTP interface that is run without an event gets a POST: %s", async (more, body) => {
  const { id, configured_props: props } = await deploy(more);
  expect(await ran(id)).toMatchObject({
    response: { status: 201, headers: { tag: "POST" } },
    event: {
      method: "POST",
      body,
      url: (props["http"] as { endpoint_url: string }).endpoint_url,
      client_ip: "127.0.0.1",
    },
  });
});

test("S53 a part of a request is completed, and the answer of respond is shown", async () => {
  const { id } = await deploy();
  expect(await ran(id, { body: { n: 1 } })).toMatchObject({
    response: { status: 201, body: '{"n":1}' },
    event: { method: "POST", headers: { "content-type": "application/json" }, bodyRaw: '{"n":1}' },
  });
  expect(await ran(id, { method: "DELETE", query: { a: "1" } })).toMatchObject({
    response: { headers: { tag: "DELETE" } },
    event: { method: "DELETE", query: { a: "1" } },
  });
});

test("S53 an event that is no request, and a source without an HTTP interface, are run as they are", async () => {
  const { id } = await service.deploy(component({ props: 'http: "$.interface.http"', run: "this.$emit(event)" }));
  for (const event of [{ other: 1 }, [1], "text", null]) await service.run(id, event);
  expect(await service.emitted(id)).toEqual([{ other: 1 }, [1], "text", null]);
  const plain = await service.deploy(component({ run: "this.$emit(event)" }));
  await service.run(plain.id, { method: "POST" });
  await service.run(plain.id);
  expect(await service.emitted(plain.id)).toEqual([{ method: "POST" }, {}]);
});

test("S53 a source with a timer, too, gets a timer event unless a request is given", async () => {
  const { id } = await deploy("", `${http}, timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } }`);
  await service.run(id);
  expect(await service.emitted(id)).toEqual([expect.objectContaining({ interval_seconds: 60 })]);
  expect(await ran(id, { method: "PUT", body: {} })).toMatchObject({ event: { method: "PUT" } });
});

test("S53 the event over REST may also be sent under its other name", async () => {
  const { id } = await deploy();
  const { body } = await service.call<Data<{ response: object }>>("POST", `/sources/${id}/event`, {
    event: { body: 5 },
  });
  expect(body.data.response).toMatchObject({ status: 201, body: "5" });
});

test("S53 a paused source is run by force, also with a request", async () => {
  const { id } = await deploy();
  await service.call("PATCH", `/sources/${id}`, { active: false });
  expect((await service.call("POST", `/sources/${id}/run`, {})).status).toBe(409);
  for (const event of [undefined, { body: { n: 1 } }]) {
    const { body } = await service.call<Data<{ status: string; response: object }>>("POST", `/sources/${id}/run`, {
      force: true,
      ...(event && { event }),
    });
    expect(body.data).toMatchObject({ status: "ok", response: { status: 201 } });
  }
});
