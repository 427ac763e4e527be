import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath, pathToFileURL } from "node:url";

import { systemClock } from "../packages/model/src/process/clock.ts";
import { loadListeners } from "../packages/runtime/src/subscriptions/listeners.ts";
import { createOutbox } from "../packages/runtime/src/webhooks/outbox.ts";
import { standardSchedule } from "../packages/runtime/src/webhooks/retry.ts";
import { newSigningKey } from "../packages/runtime/src/webhooks/webhook.ts";
import { newSortableId, randomFraction } from "../packages/model/src/process/ids.ts";
import type { QueuedDelivery, Webhook } from "../packages/model/src/listener-model.ts";
import { createPoster } from "../packages/runtime/src/network/poster.ts";
import { defaults } from "../packages/model/src/limits.ts";
import { silentLogger } from "../packages/model/src/logger.ts";
import type { Change } from "../packages/store/src/contract.ts";
import { openSqliteStore } from "../packages/store/src/sqlite/sqlite.ts";
import { machine, measureFdatasync, median } from "./machine.ts";

export interface DeliveryReport {
  readonly fdatasyncPerSecond: number;
  readonly perSecond: number;
  /** Deliveries per second over the fdatasync rate of the same disk in the same round. */
  readonly timesFdatasync: number;
  /** CPU time of all threads of the sender per delivery. */
  readonly cpuMicroseconds: number;
  /** The same, with a second webhook whose receiver never answers. */
  readonly besideDeadPerSecond: number;
}

/** How much is measured. */
export interface DeliveryPlan {
  readonly rounds: number;
  readonly count: number;
}

const whole: DeliveryPlan = { rounds: 5, count: 10_000 };
const webhookCount = 16;
const emittersPerWebhook = 8;
const payload = JSON.stringify({ title: "An event", body: "x".repeat(370) });

const deliveryOf = (webhookId: string, emitterId: string, seq: number, at: number): QueuedDelivery => ({
  id: `dlv_${newSortableId(at)}`,
  webhookId,
  emitterId,
  eventId: { ms: at, seq },
  emitId: newSortableId(at),
  eventName: "",
  status: "pending",
  attempts: [],
  nextAttemptAt: at,
  createdAt: at,
  payload,
});

const webhookOf = (id: string, url: string): Webhook => ({
  id,
  userId: "u_bench",
  name: null,
  description: null,
  url,
  active: true,
  format: "event",
  signingKey: newSigningKey(),
  previousKeys: [],
  skipped: 0,
  createdAt: 0,
  updatedAt: 0,
});

interface RoundPlan {
  readonly count: number;
  /** True: a webhook whose receiver never answers is active, too. */
  readonly withDead: boolean;
}

/** A new store with pending deliveries: `count` to receivers that answer, and as many to one that never does. */
function* backlog(url: string, { count, withDead }: RoundPlan): Generator<Change> {
  const at = Date.now();
  for (let n = 0; n < webhookCount; n += 1) yield { op: "webhook.put", webhook: webhookOf(`wh_${n}`, `${url}/well`) };
  yield { op: "webhook.put", webhook: { ...webhookOf("wh_dead", `${url}/dead`), active: withDead } };
  for (let n = 0; n < count; n += 1) {
    const emitterId = `dc_${Math.floor(n / webhookCount) % emittersPerWebhook}`;
    yield { op: "delivery.add", delivery: deliveryOf(`wh_${n % webhookCount}`, emitterId, n, at) };
    yield { op: "delivery.add", delivery: deliveryOf("wh_dead", `dc_${n % 100}`, n, at) };
  }
}

async function runRound(folder: string, url: string, plan: RoundPlan): Promise<{ perSecond: number; cpu: number }> {
  const { count } = plan;
  const store = await openSqliteStore({ folder });
  const poster = createPoster({}, defaults);
  await store.commit([...backlog(url, plan)]);
  const listeners = await loadListeners(store);
  let left = count;
  const done = Promise.withResolvers<void>();
  const outbox = createOutbox({
    store: {
      ...store,
      async commit(changes) {
        await store.commit(changes);
        for (const change of changes) if (change.op === "delivery.update" && change.status === "delivered") left -= 1;
        if (left === 0) done.resolve();
      },
    },
    clock: systemClock,
    logger: silentLogger,
    observer: { attempted: () => undefined, working: () => undefined },
    post: poster.post,
    maskOf: async () => ({ text: (text) => text }),
    random: randomFraction,
    schedule: standardSchedule,
    sockets: defaults.deliverySockets,
    webhook: listeners.webhook,
    deactivate: () => Promise.resolve(),
    deadLetter: () => Promise.resolve(),
  });
  const cpu = process.cpuUsage();
  const start = performance.now();
  await outbox.start();
  await done.promise;
  const elapsed = performance.now() - start;
  const used = process.cpuUsage(cpu);
  await outbox.close(0);
  await poster.close();
  await store.close();
  return { perSecond: (count / elapsed) * 1000, cpu: (used.user + used.system) / count };
}

/** The receiver is a separate process; it prints its URL. */
function serveReceiver(): void {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      if (request.url !== "/dead") response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1", () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

async function startReceiver(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "receiver"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: url.toString() };
}

/** Measures deliveries from the store to the receiver, including the commit of the result. */
export async function runDeliveryBench({ rounds, count }: DeliveryPlan = whole): Promise<DeliveryReport> {
  const folder = mkdtempSync(join(process.env["X_BENCH_FOLDER"] ?? tmpdir(), "x-bench-"));
  const receiver = await startReceiver();
  const found: { sync: number; perSecond: number; cpu: number; besideDead: number }[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const sync = measureFdatasync(folder, 300);
      const alone = await runRound(join(folder, `alone-${round}`), receiver.url, { count, withDead: false });
      const beside = await runRound(join(folder, `beside-${round}`), receiver.url, { count, withDead: true });
      // The first round warms up.
      if (round > 0) found.push({ sync, ...alone, besideDead: beside.perSecond });
    }
  } finally {
    receiver.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    fdatasyncPerSecond: median(found.map(({ sync }) => sync)),
    perSecond: median(found.map(({ perSecond }) => perSecond)),
    timesFdatasync: median(found.map(({ perSecond, sync }) => perSecond / sync)),
    cpuMicroseconds: median(found.map(({ cpu }) => cpu)),
    besideDeadPerSecond: median(found.map(({ besideDead }) => besideDead)),
  };
}

/** The report as text for a terminal. */
export function formatDeliveryReport(report: DeliveryReport): string {
  const { fdatasyncPerSecond, perSecond, timesFdatasync, cpuMicroseconds, besideDeadPerSecond } = report;
  return [
    `Deliveries: ${whole.count} signed POSTs to ${webhookCount} webhooks over ${defaults.deliverySockets} sockets, outbox on SQLite, receiver in another process; medians of ${whole.rounds} rounds; fdatasync of 4 KiB: ${fdatasyncPerSecond.toFixed(0)}/s`,
    `alone               ${perSecond.toFixed(0)}/s, ${timesFdatasync.toFixed(1)} x fdatasync, ${cpuMicroseconds.toFixed(0)} us CPU each`,
    `beside a dead one   ${besideDeadPerSecond.toFixed(0)}/s, ${((besideDeadPerSecond / perSecond) * 100).toFixed(0)} % of alone`,
  ].join("\n");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv[2] === "receiver") serveReceiver();
  else {
    console.log(machine());
    console.log(formatDeliveryReport(await runDeliveryBench()));
  }
}
