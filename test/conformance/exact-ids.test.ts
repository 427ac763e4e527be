import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService({ network: { mode: "allow-private" } });
});
afterAll(() => service[Symbol.asyncDispose]());

const first = "1234567890123456789";
const second = "1234567890123456790";
const warnings = (logs: readonly { readonly k: string; readonly msg?: string }[]): string[] =>
  logs.flatMap(({ k, msg = "" }) => (k === "console.warn" ? [msg] : []));

test.each(["unique", "greatest", "last"])("S54 ids beyond 2^53 under %s get one warning per run", async (dedupe) => {
  const run = "for (const id of event.ids) this.$emit({}, { id: event.text ? String(id) : id })";
  const { id } = await service.deploy(component({ more: `dedupe: "${dedupe}",`, run }));
  const logsOf = async (...ids: number[]): Promise<string[]> => warnings((await service.run(id, { ids })).logs);
  const [warning = "", ...more] = await logsOf(1, Number(first), Number(second), 2 ** 60);
  expect(more).toEqual([]);
  expect(warning).toContain("$emit: id 1234567890123456800 is a number beyond 2^53");
  expect(warning).toContain("take the id as text from bodyRaw, let the service send it as text");
  expect(await logsOf(2 ** 53)).toHaveLength(1);
  expect(await logsOf(-(2 ** 53))).toHaveLength(1);
  expect(await logsOf(2 ** 53 - 1, 1.5, 7)).toEqual([]);
  expect(warnings((await service.run(id, { ids: [Number(first)], text: true })).logs)).toEqual([]);
  const stored = await service.events(id, "$logs/");
  expect(warnings(stored.map(({ event }) => event as { k: string; msg: string }))).toHaveLength(3);
});

test("S54 without dedupe such an id gets no warning", async () => {
  const { id } = await service.deploy(component({ run: "this.$emit({}, { id: 2 ** 60 })" }));
  expect((await service.run(id)).logs).toEqual([]);
});

const receiver = (more: string): string =>
  component({
    props: 'http: "$.interface.http"',
    more: `dedupe: "unique", ${more}`,
    run: "for (const { id } of event.body.items) this.$emit(id, { id })",
  });
const padding = "x".repeat(10_000);
const bodies = [
  `{"items":[{"id":${first}},{"id":${second}}]}`,
  // It is stored apart from its event.
  `{"padding":"${padding}","items":[{"id":${first}},{"id":${second}}]}`,
];

async function received(on: Service, code: string, settings: object = {}): Promise<unknown[]> {
  const { source } = await on.runtime.deploy({ code, settings });
  const emitted: unknown[] = [];
  const path = new URL(Object.values(source.endpoints)[0] ?? "").pathname;
  for (const body of bodies) {
    await on.runtime.resetDedupe(source.id);
    await on.runtime.deleteEvents(source.id, "emits", {});
    const headers = { "content-type": "application/json" };
    expect((await fetch(on.url + path, { method: "POST", headers, body })).status).toBe(200);
    emitted.push(await on.emitted(source.id));
  }
  return emitted;
}

const exact = [
  [first, second],
  [first, second],
];
const rounded = [[Number(first)], [Number(first)]];

test("S54 with exactIntegers integers beyond 2^53 in a JSON body are texts: the source decides before the component", async () => {
  expect(await received(service, receiver(""))).toEqual(rounded);
  expect(await received(service, receiver("exactIntegers: true,"))).toEqual(exact);
  expect(await received(service, receiver(""), { exactIntegers: true })).toEqual(exact);
  expect(await received(service, receiver("exactIntegers: true,"), { exactIntegers: false })).toEqual(rounded);
});

test("S54 the option of the runtime applies to every component that does not set exactIntegers", async () => {
  await using exactly = await startService({ exactIntegers: true });
  expect(await received(exactly, receiver(""))).toEqual(exact);
  expect(await received(exactly, receiver("exactIntegers: false,"))).toEqual(rounded);
});

test("S54 exactIntegers is true or false", async () => {
  const reply = await service.call("POST", "/components", { component_code: receiver("exactIntegers: 1,") });
  expect([reply.status, reply.body.code]).toEqual([400, "invalid_component"]);
  expect(reply.body.error).toContain("exactIntegers must be true or false, got 1");
});

test("S54 with exactIntegers integers beyond 2^53 in an answer are texts", async () => {
  const text = `{"id":${first},"small":5,"said":"${first}","list":[-${second},1e20]}`;
  const server = createServer((_, answer) => answer.setHeader("content-type", "application/json").end(text));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const run = "this.$emit(await (await fetch(event.url)).json())";
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const [more, read] of [
    ["", JSON.parse(text)],
    ["exactIntegers: true,", { id: first, small: 5, said: first, list: [`-${second}`, 1e20] }],
  ] as const) {
    const { id } = await service.deploy(component({ more, run }));
    await service.run(id, { url });
    expect(await service.emitted(id)).toEqual([read]);
  }
  server.close();
});
