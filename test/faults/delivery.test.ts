import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { hang, type Receiver, startReceiver } from "../../packages/runtime/src/delivery/receiver.cases.ts";
import { ask, killAll, startService } from "./service.child.ts";

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
  run(event) { for (let n = 0; n < event.count; n++) this.$emit({ n }); },
};`;
const counting = `export default {
  name: "Counting", version: "1", props: { db: "$.service.db" },
  async run(event) {
    await fetch(event.url).catch(() => undefined);
    this.db.set("n", (this.db.get("n") ?? 0) + 1); this.$emit({ heard: event.n, count: this.db.get("n") });
  },
};`;

const numbers = (bodies: readonly string[]): number[] => bodies.map((body) => (JSON.parse(body) as { n: number }).n);

test("kill -9 between commit and delivery loses no delivery, and they still come in order", async () => {
  let open = false;
  const url = receiver.on("/hook", (response, request, nth) => {
    // Until the restart the first one hangs: everything is committed, nothing is delivered.
    if (open) response.writeHead(204).end();
    else hang(response, request, nth);
  });
  const count = 30;
  const first = await startService(folder);
  const { data: source } = await ask<Created>(first.url, "POST", "/sources", { component_code: many });
  const { data: webhook } = await ask<Created>(first.url, "POST", "/webhooks", { url });
  await ask(first.url, "POST", "/subscriptions", { emitter_id: source.id, listener_id: webhook.id });
  await ask(first.url, "POST", `/sources/${source.id}/run`, { event: { count } });
  await receiver.reached(1);
  await first.kill();
  open = true;
  const second = await startService(folder);
  await receiver.reached(1 + count);
  expect(numbers(receiver.bodies("/hook"))).toEqual([0, ...Array.from({ length: count }, (_, n) => n)]);
  const [before, after] = receiver.received;
  expect(after?.headers["webhook-id"]).toBe(before?.headers["webhook-id"]);
  expect(after?.headers["x-attempt"]).toBe("1");
  await second.kill("SIGTERM");
  expect(second.process.exitCode).toBe(0);
});

test("kill -9 between commit and the run of a listening source loses no run and repeats none", async () => {
  let open = false;
  receiver.on("/gate", (response, request, nth) => {
    if (open) response.writeHead(204).end();
    else hang(response, request, nth);
  });
  const emitting = many.replace("{ n }", "{ n, url: event.url }");
  const start = (): ReturnType<typeof startService> => startService(folder, { args: ["--network", "allow-private"] });
  const first = await start();
  const { data: source } = await ask<Created>(first.url, "POST", "/sources", { component_code: emitting });
  const { data: listener } = await ask<Created>(first.url, "POST", "/sources", { component_code: counting });
  await ask(first.url, "POST", "/subscriptions", { emitter_id: source.id, listener_id: listener.id });
  const event = { count: 5, url: `${receiver.url}/gate` };
  await ask(first.url, "POST", `/sources/${source.id}/run`, { event });
  await receiver.reached(1);
  await first.kill();
  open = true;
  const second = await start();
  await receiver.reached(6);
  // Runs after the others in the listener's lane, so they are over when it answers.
  await ask(second.url, "POST", `/sources/${listener.id}/run`, { event: { n: "last", url: event.url } });
  const list = `/sources/${listener.id}/event_summaries?expand=event&limit=100`;
  const { data: events } = await ask<{ data: { event: { heard: unknown; count: number } }[] }>(second.url, "GET", list);
  expect(events.toReversed().map((row) => [row.event.heard, row.event.count])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
    [4, 5],
    ["last", 6],
  ]);
  await second.kill("SIGTERM");
});
