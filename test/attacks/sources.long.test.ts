import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type Service, startService } from "../conformance/fixture.ts";
import { leaks } from "./sources/leaks.ts";
import { allScenes } from "./sources/scenes.ts";
import { hostileWebhooks } from "./sources/webhooks.ts";

const secret = "SECRET-of-the-user";
let service: Service;
beforeAll(async () => {
  service = await startService({
    limits: { inboxPerSource: 20, runTimeoutMs: 1_000, hookTimeoutMs: 500, optionsTimeoutMs: 500 },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

let count = 0;
async function isServing(): Promise<boolean> {
  const { id } = await service.deploy(component({ name: `After ${++count}`, run: `this.$emit(${count})` }));
  await service.run(id);
  const emitted = await service.emitted(id);
  await service.call("DELETE", `/sources/${id}`);
  return emitted.length === 1 && emitted[0] === count;
}

test.each(allScenes)("$id: $promise", async ({ attack }) => {
  await attack(service);
  expect(await isServing()).toBe(true);
});

test.each(leaks)("$id: $promise", async ({ body }) => {
  const source = await service.deploy(
    component({ props: `token: { type: "string", secret: true }, db: "$.service.db"`, run: body }),
    { token: secret },
  );
  const seen = [
    source,
    await service.run(source.id),
    await service.events(source.id, "$errors/"),
    await service.events(source.id, "$logs/"),
    (await service.call("GET", `/sources/${source.id}/logs`)).body,
    (await service.call("GET", `/components/${source.component_id}`)).body,
    (await service.call("GET", "/users/me/sources")).body,
  ];
  for (const each of seen) expect(JSON.stringify(each)).not.toContain(secret);
  expect(JSON.stringify(seen)).toContain("***");
  await service.call("DELETE", `/sources/${source.id}`);
});

test.each(hostileWebhooks)("$id: $promise", async ({ url }) => {
  const reply = await service.call("POST", `/webhooks?url=${encodeURIComponent(url)}`);
  expect([400, 431]).toContain(reply.status);
});

test("webhook-redirect: webhooks-guarded", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const source = await service.deploy(component({ run: `this.$emit(1)` }));
  const webhook = (await service.call<Data<{ id: string }>>("POST", `/webhooks?url=${encodeURIComponent(url)}`)).body
    .data;
  await service.call("POST", `/subscriptions?emitter_id=${source.id}&listener_id=${webhook.id}`);
  await service.run(source.id);
  await service.runtime.idle();
  expect(asked).toEqual(["/hook"]);
  await service.call("DELETE", `/webhooks/${webhook.id}`);
  await service.call("DELETE", `/sources/${source.id}`);
  server.close();
});
