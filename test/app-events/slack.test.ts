import { afterEach, beforeEach, expect, test } from "vitest";

import { manualClock } from "@x/runtime";

import { vectorMs } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { slackMessages } from "./components.ts";
import { createFakeSlack, type FakeSlack } from "./fake-slack.ts";

/** What the guide says, with a service that behaves as Slack does. */

let service: Service;
let slack: FakeSlack;
let source: SourceBody;
beforeEach(async () => {
  service = await startService({ clock: manualClock(vectorMs) });
  slack = createFakeSlack("signing secret", service.clock.now);
  const account = await service.call<Data<{ id: string }>>("POST", "/accounts", {
    app: "slack",
    auth: { team_id: "T1" },
  });
  source = await service.deploy(slackMessages, { slack: { authProvisionId: account.body.data.id } });
});
afterEach(() => service[Symbol.asyncDispose]());

async function endpoint(secret = "signing secret"): Promise<string> {
  const { body } = await service.call<Data<{ endpoint_url: string }>>("PUT", "/apps/slack/endpoint", { secret });
  return service.url + new URL(body.data.endpoint_url).pathname;
}
const message = (text: string, more: object = {}): object => ({
  type: "message",
  channel: "C1",
  channel_type: "channel",
  user: "U1",
  text,
  event_ts: `1795190400.${text.length}`,
  ...more,
});
const texts = async (): Promise<unknown[]> =>
  (await service.emitted(source.id)).map((each) => (each as { text: string }).text);

test("A13 the URL is verified, and each message runs the source once", async () => {
  expect(await slack.enter(await endpoint())).toBe("Verified");
  expect(await slack.send(message("hi"))).toEqual([200]);
  expect(await slack.send(message("a bot", { bot_id: "B1" }))).toEqual([200]);
  await service.runtime.idle();
  expect(await texts()).toEqual(["hi"]);
});

test("A13 a wrong secret is noticed when the URL is entered", async () => {
  expect(await slack.enter(await endpoint("another"))).toMatch(/^401 /);
});

test("A13 events that nobody wants do not turn the URL off", async () => {
  const url = await endpoint();
  expect(await slack.enter(url)).toBe("Verified");
  await service.call("PATCH", `/sources/${source.id}`, { active: false });
  for (let n = 0; n < 30; n += 1) expect(await slack.send(message("m".repeat(n)))).toEqual([200]);
  expect(slack.isDisabled()).toBe(false);
});

test("A13 a URL that is gone fails until Slack turns it off; the next one works", async () => {
  expect(await slack.enter(await endpoint())).toBe("Verified");
  const { body } = await service.call<Data<{ endpoint_url: string }>>("POST", "/apps/slack/endpoint/rotate");
  for (let n = 0; n < 6; n += 1) expect(await slack.send(message("lost"))).toEqual([404, 404, 404, 404]);
  expect(slack.isDisabled()).toBe(true);
  expect(await slack.enter(service.url + new URL(body.data.endpoint_url).pathname)).toBe("Verified");
  expect(await slack.send(message("again"))).toEqual([200]);
  await service.runtime.idle();
  expect(await texts()).toEqual(["again"]);
});

test("A12 what was not stored is repeated, and runs once", async () => {
  expect(await slack.enter(await endpoint())).toBe("Verified");
  const lost = { type: "event_callback", event_id: "EvX" };
  expect(await slack.send(message("once"), lost)).toEqual([200]);
  // Slack did not see the answer.
  expect(await slack.send(message("once"), lost)).toEqual([200]);
  await service.runtime.idle();
  expect(await texts()).toEqual(["once"]);
});
