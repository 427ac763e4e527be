import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { listenerText, slackMessage } from "../../packages/runtime/src/app-events/app-trial.cases.ts";
import { ask, killAll, type ServiceChild, startService } from "../faults/service.child.ts";

/** F4 and F5 with a service that is killed while it stores the events of an app. */

const sources = 100;
let data: string;
let service: ServiceChild;
let path: string;
const ids: string[] = [];
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), "x-app-kill-"));
  service = await startService(data);
  const account = await ask<{ data: { id: string } }>(service.url, "POST", "/accounts", {
    app: "slack",
    auth: { team_id: "T1" },
  });
  const endpoint = await ask<{ data: { endpoint_url: string } }>(service.url, "PUT", "/apps/slack/endpoint", {
    secret: "slack-secret",
  });
  path = new URL(endpoint.data.endpoint_url).pathname;
  for (let n = 0; n < sources; n += 1) {
    const body = {
      component_code: listenerText("slack", "static: []"),
      name: `listener ${n}`,
      configured_props: { app: { authProvisionId: account.data.id } },
    };
    ids.push((await ask<{ data: { id: string } }>(service.url, "POST", "/sources", body)).data.id);
  }
});
afterAll(async () => {
  await killAll();
  rmSync(data, { recursive: true, force: true });
});

/** The status of the answer; undefined when the service ended before it. */
async function send(text: string): Promise<number | undefined> {
  const { body, headers } = slackMessage({ channel: "C1", text }, { event_id: text }, Math.floor(Date.now() / 1_000));
  return fetch(service.url + path, { method: "POST", body, headers }).then(
    ({ status }) => status,
    () => undefined,
  );
}

/** The texts that a source got. */
async function textsOf(id: string): Promise<readonly string[]> {
  const page = await ask<{ data: readonly { event: { text: string } }[] }>(
    service.url,
    "GET",
    `/sources/${id}/event_summaries?expand=event&limit=100`,
  );
  return page.data.map(({ event }) => event.text);
}

/** Waits for the lane of each source: what was stored before has run then. */
async function settled(): Promise<void> {
  for (const id of ids) {
    let isDone = false;
    while (!isDone)
      isDone = await ask(service.url, "POST", `/sources/${id}/dedupe/reset`).then(
        () => true,
        () => false,
      );
  }
}

test("F5 what was answered is run by all sources once, and what was not answered by all or none", async () => {
  const answered: string[] = [];
  const sent: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const sending = Array.from({ length: 4 }, async (_, n) => {
      const text = `r${round}e${n}`;
      sent.push(text);
      if ((await send(text)) === 200) answered.push(text);
    });
    // After the first answer of the round: some requests are stored, and some are being stored.
    await Promise.race(sending);
    await service.kill("SIGKILL");
    await Promise.all(sending);
    service = await startService(data);
  }
  await settled();
  const all = await Promise.all(ids.map(textsOf));
  for (const text of sent) {
    const runs = all.map((texts) => texts.filter((each) => each === text).length);
    const kinds = new Set(runs);
    expect(kinds.size, `${text}: ${runs.join(",")}`).toBe(1);
    expect(runs[0], text).toBeGreaterThanOrEqual(answered.includes(text) ? 1 : 0);
    expect(runs[0], text).toBeLessThanOrEqual(1);
  }
  expect(answered.length).toBeGreaterThanOrEqual(3);
  // The service repeats what was not answered.
  for (const text of sent) expect(await send(text)).toBe(200);
  await settled();
  for (const id of ids) expect((await textsOf(id)).toSorted()).toEqual(sent.toSorted());
});
