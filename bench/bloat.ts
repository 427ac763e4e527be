/** `npm run bench:bloat`: how large the tables are while rows of them come and go, with autovacuum as it is set by default. */
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

import { openPostgres } from "../packages/postgres/src/postgres.ts";
import { addDelivery, exampleDelivery } from "../packages/store/src/conformance/examples.cases.ts";
import type { Change, Store } from "../packages/store/src/contract.ts";
import { missingBinaries, type PrivatePostgres, startPostgres } from "../test/cluster/private-postgres.ts";
import { machine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    /** The default of PostgreSQL. */
    naptime: { type: "string", default: "60s" },
    sources: { type: "string", default: "50" },
    /** Invocations of each source per second. */
    rate: { type: "string", default: "10" },
  },
});

const schema = "bloat";
const kept = 100;
const payload = JSON.stringify({ title: "An event", body: "x".repeat(370) });

/** What one invocation leaves behind: rows that replace others, and rows that push old ones out. */
function changesOf(source: string, count: number): readonly (readonly Change[])[] {
  const ms = 1_800_000_000_000 + count;
  const [id, emitId] = [`${source}-${count}`, `${source}-${count}-emit`];
  const trigger = { id, sourceId: source, type: "HTTP", event: payload, at: ms, crashes: 0, hops: 0 } as const;
  const ids = Array.from({ length: kept }, (_, index) => `item-${count + index}`);
  const delivery = exampleDelivery(`${id}-d`, { webhookId: `wh_${source}`, emitterId: source, emitId, payload });
  return [
    [{ op: "trigger.add", trigger, running: true }],
    [
      { op: "trigger.remove", id },
      { op: "db.set", sourceId: source, key: "cursor", value: String(count), at: ms },
      { op: "dedupe.set", sourceId: source, channel: "", state: { strategy: "unique", ids } },
      { op: "event.add", event: { emitterId: source, stream: "emits", id: { ms, seq: 0 }, emitId, name: "", payload } },
      { op: "events.trim", emitterId: source, stream: "emits", keep: kept },
      addDelivery({ ...delivery, eventId: { ms, seq: 0 } }),
      { op: "timer.set", sourceId: source, next: { at: ms + 1, lastAt: ms } },
      { op: "usage.add", userId: "u_1", day: "2026-11-20", invocations: 1, computeMs: 1 },
    ],
    [
      { op: "delivery.update", id: delivery.id, status: "delivered", attempts: [], nextAttemptAt: null },
      { op: "deliveries.trim", webhookId: delivery.webhookId, status: "delivered", keep: kept },
    ],
  ];
}

/** Runs one source at its rate; resolves with the number of its invocations. */
async function churn(store: Store, source: string, until: number): Promise<number> {
  const spacing = 1_000 / Number(values.rate);
  let count = 0;
  await pause(Math.random() * spacing);
  while (performance.now() < until) {
    const next = pause(spacing);
    count += 1;
    for (const changes of changesOf(source, count)) await store.commit(changes);
    await next;
  }
  return count;
}

interface Size {
  readonly table: string;
  readonly bytes: number;
  readonly live: number;
  readonly dead: number;
}

async function readSizes(postgres: PrivatePostgres): Promise<readonly Size[]> {
  const rows = await postgres.sql(
    `SELECT relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup FROM pg_stat_user_tables
      WHERE schemaname = '${schema}' AND n_tup_ins + n_tup_upd > 1000 ORDER BY relname`,
  );
  return rows.map((row) => {
    const [table = "", bytes, live, dead] = row.split("|");
    return { table, bytes: Number(bytes), live: Number(live), dead: Number(dead) };
  });
}

const kib = (bytes: number): string => `${Math.round(bytes / 1_024)} KiB`;

async function observe(postgres: PrivatePostgres): Promise<void> {
  const store = await openPostgres({ url: postgres.url(schema) });
  const began = performance.now();
  const until = began + Number(values.minutes) * 60_000;
  const sources = Array.from({ length: Number(values.sources) }, (_, index) => `dc_${index}`);
  const churning = Promise.all(sources.map((source) => churn(store, source, until)));
  const largest = new Map<string, number>();
  while (performance.now() < until) {
    await pause(Math.min(30_000, until - performance.now()));
    const sizes = await readSizes(postgres);
    for (const { table, bytes } of sizes) largest.set(table, Math.max(bytes, largest.get(table) ?? 0));
    const seconds = Math.round((performance.now() - began) / 1_000);
    console.log(
      `${seconds} s: ${sizes.map(({ table, bytes, dead }) => `${table} ${kib(bytes)} (${dead} dead)`).join(", ")}`,
    );
  }
  const counts = await churning;
  const sizes = await readSizes(postgres);
  await store.close();
  await postgres.sql("VACUUM FULL");
  const packed = new Map((await readSizes(postgres)).map(({ table, bytes }) => [table, bytes]));
  console.log(
    `${counts.reduce((sum, count) => sum + count, 0)} invocations; at the end, at most, and rewritten by VACUUM FULL:`,
  );
  for (const { table, bytes, live } of sizes)
    console.log(
      `${table.padEnd(16)} ${String(live).padStart(6)} rows ${kib(bytes).padStart(10)} ${kib(largest.get(table) ?? bytes).padStart(10)} ${kib(packed.get(table) ?? 0).padStart(10)}`,
    );
}

if (missingBinaries() === undefined) {
  console.log(`${machine()}; autovacuum_naptime ${values.naptime}`);
  await using postgres = await startPostgres([`autovacuum_naptime=${values.naptime}`]);
  await observe(postgres);
}
