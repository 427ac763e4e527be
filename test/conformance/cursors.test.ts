import { expect, test } from "vitest";

import { component, type Data, type List, startService } from "./fixture.ts";

test("S34 a cursor that never named an item of this list is 400; the cursor of a deleted item stays valid", async () => {
  await using fresh = await startService();
  const { id } = await fresh.deploy(component({ run: "this.$emit(1); console.log(1)" }));
  await fresh.run(id);
  const webhook = await fresh.call<Data<{ id: string }>>("POST", "/webhooks", { url: "https://example.test/hook" });
  const wh = webhook.body.data.id;
  await fresh.call("POST", "/accounts", { app: "acme", auth: {} });
  const cursor = (text: string): string => Buffer.from(text).toString("base64url");
  const lists = {
    "/users/me/sources": ["dc_never1", wh, "p_never1"],
    "/users/me/workflows": ["p_never1", id],
    "/users/me/webhooks": ["wh_never1", id],
    "/users/me/accounts": ["apn_never1", wh],
    [`/webhooks/${wh}/deliveries`]: ["dlv_never1", wh],
  };
  for (const [path, ids] of Object.entries(lists))
    for (const unknown of ids)
      for (const side of ["after", "before"]) {
        const reply = await fresh.call("GET", `${path}?${side}=${cursor(unknown)}`);
        expect([path, unknown, reply.status, reply.body.code]).toEqual([path, unknown, 400, "invalid_parameter"]);
        expect(reply.body.error).toBe(
          `Parameter "${side}" must be a cursor from page_info of this list, got "${unknown}".`,
        );
        expect(reply.body.details).toMatchObject({ parameter: side, received: unknown });
      }
  const newer = `${fresh.clock.now() + 60_000}-0`;
  for (const path of [
    "event_summaries",
    "event_summaries?q=/a=1",
    "$logs/event_summaries",
    "$errors/event_summaries",
    "logs",
  ])
    for (const side of ["after", "before"]) {
      const mark = path.includes("?") ? "&" : "?";
      const reply = await fresh.call("GET", `/sources/${id}/${path}${mark}${side}=${newer}`);
      expect([path, reply.status, reply.body.code]).toEqual([path, 400, "invalid_parameter"]);
    }
  await fresh.call("DELETE", `/webhooks/${wh}`);
  const gone = await fresh.call<List<object>>("GET", `/users/me/webhooks?after=${cursor(wh)}`);
  expect([gone.status, gone.body.data]).toEqual([200, []]);
  const crossed = await fresh.call("GET", `/users/me/sources?after=${cursor(wh)}`);
  expect(crossed.status).toBe(400);
  const [event] = await fresh.events(id);
  await fresh.call("DELETE", `/sources/${id}/events`);
  await fresh.runtime.idle();
  expect((await fresh.call("GET", `/sources/${id}/event_summaries?after=${event?.id}`)).status).toBe(200);
});
