import { EventEmitter, once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createClient } from "@x/client";
import { manualClock } from "@x/runtime";

import { slackMessage, vectorMs } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { apiKey, type Data, type Service, type SourceBody, startService } from "../conformance/fixture.ts";
import { blocksIn } from "../markdown-blocks.ts";
import { discordMessages } from "./components.ts";

/** The code of docs/guides/app-events.md. */

const page = readFileSync(new URL("../../docs/guides/app-events.md", import.meta.url), "utf8");
const blocks = blocksIn(page);
const textOf = (name: string): string => blocks.find(({ file }) => file === name)?.text ?? "";

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService({ clock: manualClock(vectorMs) });
  const parent = join(import.meta.dirname, "../.tmp");
  mkdirSync(parent, { recursive: true });
  // Inside the workspace, so that its import resolves.
  folder = mkdtempSync(join(parent, "app-events-"));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

async function listening(code: string, app: string, auth: object, props: object = {}): Promise<SourceBody> {
  const { body } = await service.call<Data<{ id: string }>>("POST", "/accounts", { app, auth });
  return service.deploy(code, { ...props, [app]: { authProvisionId: body.data.id } });
}

test("A9 the component of the guide gets the messages of a channel", async () => {
  const source = await listening(textOf("slack-messages.js"), "slack", { team_id: "T1" }, { channel: "C1" });
  const { body } = await service.call<Data<{ endpoint_url: string; steps: readonly string[] }>>(
    "PUT",
    "/apps/slack/endpoint",
    { secret: "slack-secret" },
  );
  const url = service.url + new URL(body.data.endpoint_url).pathname;
  for (const channel of ["C1", "C2"]) {
    const message = slackMessage({ channel, channel_type: "channel", text: "hi", event_ts: "1795190400.1" });
    expect((await fetch(url, { method: "POST", body: message.body, headers: message.headers })).status).toBe(200);
  }
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toMatchObject([{ channel: "C1", text: "hi" }]);
  for (const step of body.data.steps) expect(page).toContain(step);
});

test("A10 the reader of the guide makes events of requests", async () => {
  const code = textOf("acme-reader.js");
  const { body } = await service.call<Data<{ endpoint_url: string }>>("PUT", "/apps/acme/endpoint", {
    scheme: "none",
    code,
  });
  const url = service.url + new URL(body.data.endpoint_url).pathname;
  const component = `export default { name: "L", version: "1", props: { acme: { type: "app", app: "acme" },
    hook: { type: "$.interface.apphook", appProp: "acme", eventNames: ["order"] } }, run(event) { this.$emit(event); } };`;
  const source = await listening(component, "acme", { org_id: "7" });
  const post = async (content: object): Promise<[number, string]> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(content), headers });
    return [answer.status, await answer.text()];
  };
  expect(await post({ type: "test" })).toEqual([200, "ok"]);
  expect(await post({ id: 1, type: "order", org: 7 })).toEqual([200, ""]);
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toEqual([{ id: 1, type: "order", org: 7 }]);
});

test("A17 the bridge of the guide passes the messages of a gateway on", async () => {
  const source = await listening(discordMessages, "discord", { guild_id: "G1" }, { channels: ["C9"] });
  const file = join(folder, "discord-bridge.mjs");
  writeFileSync(file, textOf("discord-bridge.js"));
  const { bridge } = (await import(pathToFileURL(file).href)) as { bridge: (gateway: EventEmitter, x: object) => void };
  const gateway = new EventEmitter();
  const answers = new EventEmitter();
  const client = createClient({
    url: service.url,
    apiKey,
    fetch: async (request) => {
      const answer = await fetch(request);
      answers.emit("answer", answer.status);
      return answer;
    },
  });
  bridge(gateway, client);
  for (const channelId of ["C9", "C1"]) {
    const answered = once(answers, "answer");
    gateway.emit("messageCreate", {
      id: `m-${channelId}`,
      guildId: "G1",
      channelId,
      content: "hi",
      createdTimestamp: vectorMs,
    });
    expect(await answered).toEqual([200]);
  }
  await service.runtime.idle();
  expect(await service.emitted(source.id)).toEqual([
    { id: "m-C9", guildID: "G1", channel: "C9", content: "hi", createdTimestamp: vectorMs },
  ]);
});
