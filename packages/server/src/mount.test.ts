import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngineWithin } from "../../runtime/src/engine.cases.ts";
import { createApp, parseMountPath } from "./app.ts";
import type { AppOptions } from "./app-options.ts";

let runtime: Runtime;
beforeAll(async () => {
  const engine = await testEngineWithin({ httpBodyBytes: 600 * 1024 });
  runtime = await createRuntime({ publicUrl: "https://shop.test/events", engine });
  await runtime.start();
});
afterAll(() => runtime.close());

const at = (path: string): Request => new Request(`https://shop.test${path}`);

test("a mounted app answers below its path, also when a router has removed the path", async () => {
  const app = createApp(runtime, { mountPath: "/events" });
  const statuses = ["/events/healthz", "/healthz", "/events/v1/users/me", "/eventsandmore/healthz", "/events"].map(
    async (path) => (await app.fetch(at(path))).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 401, 404, 404]);
});

test("S42 event.url is what the sender called, whatever proxies made of host, scheme and prefix", async () => {
  const code = `export default { name: "Url", version: "1", props: { http: "$.interface.http" },
    run({ url }) { this.$emit(url) } }`;
  const { source } = await runtime.deploy({ code });
  const endpoint = source.endpoints["http"] ?? "";
  const path = new URL(endpoint).pathname;
  const app = createApp(runtime, { mountPath: "/events" });
  for (const origin of ["https://shop.test", "http://shop.test", "http://127.0.0.1:7777"])
    for (const prefixed of [path, path.replace("/events", "")])
      expect((await app.fetch(new Request(`${origin}${prefixed}/sms?a=1&b=%2F`, { method: "POST" }))).status).toBe(200);
  await runtime.idle();
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
  expect(items.map(({ payload }) => JSON.parse(payload) as string)).toEqual(
    Array.from({ length: 6 }, () => `${endpoint}/sms?a=1&b=%2F`),
  );
});

test("endpoints accept bodies up to the limit of the runtime, or of the app", async () => {
  const code = `export default { name: "Size", version: "1", props: { http: "$.interface.http" }, run() {} }`;
  const { source } = await runtime.deploy({ code });
  const send = async (bytes: number, options: AppOptions = {}): Promise<number> => {
    const url = (source.endpoints["http"] ?? "").replace("/events/in/", "/in/");
    const request = new Request(url, { method: "POST", body: "x".repeat(bytes) });
    return (await createApp(runtime, options).fetch(request)).status;
  };
  expect([await send(600 * 1024), await send(600 * 1024 + 1)]).toEqual([200, 413]);
  expect([await send(10, { endpointBodyBytes: 10 }), await send(11, { endpointBodyBytes: 10 })]).toEqual([200, 413]);
});

test.each([
  [{ mountpath: "/events" }, '"mountpath" must be one of mountPath,'],
  [{ bodyBytes: "1mb" }, '"bodyBytes" must be a positive integer, got "1mb"'],
  [{ endpointBodyBytes: 0 }, "endpointBodyBytes"],
  [{ streams: { beatMs: 0 } }, "streams.beatMs"],
  [{ streams: { beatms: 5 } }, '"streams.beatms" must be one of beatMs, backlog (did you mean "beatMs"?)'],
  [{ cors: { origin: [] } }, '(did you mean "origins"?)'],
  [{ rateLimit: { perSecond: 1, brust: 2 } }, '(did you mean "burst"?)'],
  [{ budgets: { answerByte: 2 } }, '(did you mean "answerBytes"?)'],
])("an app with %j is refused", (options, text) => {
  expect(() => createApp(runtime, options as AppOptions)).toThrow(text);
});

test("the reference of a mounted app contains the mount path", async () => {
  const app = createApp(runtime, { mountPath: "/events" });
  const page = await (await app.fetch(at("/events/docs"))).text();
  expect(page).toContain('src="/events/docs/reference.js"');
  const description = await (await app.fetch(at("/events/v1/openapi.json"))).json();
  expect(description).toMatchObject({
    servers: [{ url: "/events/v1" }],
    paths: { "/healthz": { servers: [{ url: "/events" }] } },
  });
});

test("a component gets the path below its endpoint and the URL that the client sent", async () => {
  const code = `export default { name: "Echo", version: "1", props: { http: "$.interface.http" },
    run({ path, url }) { this.$emit({ path, url }) } }`;
  const { source, configuredProps } = await runtime.deploy({ code });
  expect(configuredProps).toEqual({
    http: { endpoint_url: expect.stringMatching(/^https:\/\/shop\.test\/events\/in\/[0-9a-z]+$/) as string },
  });
  const app = createApp(runtime, { mountPath: "/events" });
  expect(source.endpoints).toEqual({ http: (configuredProps["http"] as { endpoint_url: string }).endpoint_url });
  const key = source.endpoints["http"]?.split("/").at(-1) ?? "";
  await app.fetch(at(`/events/in/${key}/a?b=1`));
  await app.fetch(at(`/in/${key}/c`), { originalUrl: `/events/in/${key}/c` });
  await runtime.idle();
  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
  expect(items.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    { path: "/c", url: `https://shop.test/events/in/${key}/c` },
    { path: "/a", url: `https://shop.test/events/in/${key}/a?b=1` },
  ]);
});

test("connections close after their answers when the service drains", async () => {
  const app = createApp(runtime);
  expect((await app.fetch(at("/v1/users/me"))).headers.get("connection")).toBeNull();
  app.drain();
  const [health, other] = [await app.fetch(at("/healthz")), await app.fetch(at("/v1/users/me"))];
  expect([health.status, health.headers.get("connection")]).toEqual([503, "close"]);
  expect([other.status, other.headers.get("connection")]).toEqual([401, "close"]);
});

test.each(["events", "/", "/events/", "/a//b", '/"', "/a b"])("%j is not a valid mount path", (path) => {
  expect(() => parseMountPath(path)).toThrow('Option "mountPath" must be a path such as /events');
});
