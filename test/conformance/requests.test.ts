import { afterAll, beforeAll, expect, test } from "vitest";

import { type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

test("G04 details.received of a parameter is the given text, not JSON of it", async () => {
  const given = {
    "/users/me/sources?limit=ten": "ten",
    "/users/me/sources?after=***": "***",
    [`/users/me/sources?after=${Buffer.from("dc").toString("base64url")}`]: "ZGM",
    "/components/registry/x?include=": undefined,
    '/sources/dc_1/event_summaries?expand="event"': '"event"',
  };
  for (const [path, received] of Object.entries(given)) {
    const { body } = await service.call("GET", path);
    expect(body.details.received, path).toBe(received);
  }
  const format = await service.call("POST", "/webhooks?url=https://example.test/&format=xml");
  expect(format.body.details.received).toBe("xml");
  const number = await service.call("POST", "/components", { component_code: 5 });
  expect(number.body.details.received).toBe("5");
});
