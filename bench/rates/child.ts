/** The measured process: one side at one rate. Writes its `Figures` as JSON. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { openBullMq } from "./bullmq-side.ts";
import { openKeyv } from "./keyv-side.ts";
import { openMiniflare } from "./miniflare-side.ts";
import { openPlain } from "./plain-side.ts";
import { readUse } from "./process-use.ts";
import type { Side } from "./side.ts";
import { openWalls } from "./walls-side.ts";
import { openX } from "./x-side.ts";

const sides = {
  x: openX,
  plain: openPlain,
  walls: openWalls,
  keyv: openKeyv,
  bullmq: openBullMq,
  miniflare: openMiniflare,
} as const;

/** What a process does for `seconds`: ticks of so many sources, or requests one by one, or nothing. */
export interface Task {
  readonly side: keyof typeof sides;
  readonly sources: number;
  /** Seconds from a tick of a source to its next one. */
  readonly interval: number;
  /** Requests in a second. */
  readonly rate: number;
  readonly seconds: number;
}

/** What it took, of all threads and of the processes that it started. */
export interface Figures {
  readonly events: number;
  readonly cpuMs: number;
  readonly residentMb: number;
  /** Null where nobody counts them. */
  readonly transactions: number | null;
  /** How often a thread waited, and was woken. */
  readonly wakeUps: number;
  /** From due to committed, in ms. */
  readonly times: readonly number[];
}

const body = JSON.stringify({
  title: "An order",
  lines: Array.from({ length: 8 }, (_, id) => ({ id, sku: `sku-${id}` })),
});
/** Requests before the measurement: after them V8 has compiled what it has compiled in a service that has run for some minutes. */
const warmUp = 1_000;

/** A start prepares threads for the first runs, which takes about two seconds of one core. */
const settleMs = 5_000;

async function sendOneByOne(side: Side, { rate, seconds }: Task, times: number[]): Promise<void> {
  const begun = performance.now();
  for (let sent = 0; sent < rate * seconds; sent += 1) {
    const due = begun + (sent * 1_000) / rate;
    await pause(Math.max(0, due - performance.now()));
    const from = performance.now();
    await side.request(body);
    times.push(performance.now() - from);
  }
  await pause(Math.max(0, begun + seconds * 1_000 - performance.now()));
}

async function measure(side: Side, task: Task): Promise<Figures> {
  let times: number[] = [];
  if (task.sources > 0) {
    await side.addTimers(task.sources, task.interval * 1_000, (ms) => times.push(ms));
    // The first ticks load the component.
    await pause(task.interval * 1_000);
  }
  if (task.rate > 0) {
    await side.addEndpoint();
    for (let sent = 0; sent < warmUp; sent += 1) await side.request(body);
  }
  await pause(settleMs);
  times = [];
  const transactionsBefore = await side.transactions();
  const before = readUse();
  if (task.rate > 0) await sendOneByOne(side, task, times);
  else await pause(task.seconds * 1_000);
  const { cpuMs, residentMb, wakeUps } = readUse();
  const transactions = await side.transactions();
  return {
    events: times.length,
    cpuMs: cpuMs - before.cpuMs,
    residentMb,
    transactions: transactions === null ? null : transactions - (transactionsBefore ?? 0),
    wakeUps: wakeUps - before.wakeUps,
    times,
  };
}

const task = JSON.parse(process.argv[2] ?? "") as Task;
const folder = mkdtempSync(join(tmpdir(), "x-rates-"));
try {
  const side = await sides[task.side](folder);
  process.stdout.write(JSON.stringify(await measure(side, task)));
  await side.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
