import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import {
  type Behaviour,
  hang,
  type Receiver,
  startReceiver,
} from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { apiKey, ask, killAll, startService } from "./service.child.ts";

interface Created {
  readonly data: { readonly id: string };
}

let folder: string;
let receiver: Receiver;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-delivery-"));
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(killAll);

const many = `export default {
  name: "Many", version: "1",
  run(event) { for (let n = 0; n < event.count; n++) this.$emit({ n, url: event.url }); },
};`;
const counting = `export default {
  name: "Counting", version: "1", props: { db: "$.service.db" },
  async run(event) {
    await fetch(event.url).catch(() => undefined);
    this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit({ heard: event.n, count: this.db.get("n") });
  },
};`;

test("kill -9 after a commit loses no delivery of its events and no run of a listening source, and repeats no run", async () => {
  // Before the restart everything hangs: all is committed, nothing is delivered, and no run ends.
  let open = false;
  const onceOpen: Behaviour = (response, request, nth) => {
    if (open) response.writeHead(204).end();
    else hang(response, request, nth);
  };
  const hook = receiver.on("/hook", onceOpen);
  const gate = receiver.on("/gate", onceOpen);
  const count = 10;
  const numbers = Array.from({ length: count }, (_, n) => n);
  const first = await startService(join(folder, "data"), { args: ["--network", "allow-private"] });
  const make = async (path: string, body: object): Promise<string> =>
    (await ask<Created>(first.url, "POST", path, body)).data.id;
  const source = await make("/sources", { component_code: many });
  const webhook = await make("/webhooks", { url: hook });
  const listener = await make("/sources", { component_code: counting });
  for (const listening of [webhook, listener])
    await ask(first.url, "POST", "/subscriptions", { emitter_id: source, listener_id: listening });
  await ask(first.url, "POST", `/sources/${source}/run`, { event: { count, url: gate } });
  await receiver.reached(2);
  await first.kill();
  open = true;
  await using second = await startServiceHere(folder, { apiKey, network: { mode: "allow-private" } });
  const url = new URL(second.baseUrl).origin;
  await receiver.reached(2 + 2 * count);

  const bodies = receiver.bodies("/hook").map((body) => (JSON.parse(body) as { n: number }).n);
  expect(bodies).toEqual([0, ...numbers]);
  const [before, after] = receiver.received.filter(({ path }) => path === "/hook");
  expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
  expect(after?.headers["x-attempt"]).toBe("1");

  // Runs last in the lane of the listener, so the other runs have ended when it answers.
  await ask(url, "POST", `/sources/${listener}/run`, { event: { n: "last", url: gate } });
  const list = `/sources/${listener}/event_summaries?expand=event&limit=100`;
  const { data: events } = await ask<{ data: { event: { heard: unknown; count: number } }[] }>(url, "GET", list);
  expect(events.toReversed().map(({ event }) => [event.heard, event.count])).toEqual([
    ...numbers.map((n) => [n, n + 1]),
    ["last", count + 1],
  ]);
});
