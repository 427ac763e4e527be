import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { createRuntime, type RuntimeOptions } from "@x/runtime";

import { dropSchema, serverUrl } from "../packages/postgres/src/server.cases.ts";
import { openPostgres } from "../packages/postgres/src/postgres.ts";
import type { Store } from "../packages/store/src/contract.ts";
import { openSqliteStore } from "../packages/store/src/sqlite/sqlite.ts";
import { machine, measureFdatasync, median } from "./machine.ts";
import { runRound, workloads } from "./storage.ts";

// SQLite and PostgreSQL by turns: commits of the store alone, then whole runs of a component. The server's CPU is not counted.

const schema = `bench_${randomBytes(6).toString("hex")}`;
const folder = mkdtempSync(join(process.env["X_BENCH_FOLDER"] ?? tmpdir(), "x-bench-"));
const [rounds, roundMs, sources] = [5, 2_000, 32];

const kinds = ["SQLite", "PostgreSQL"] as const;
type Kind = (typeof kinds)[number];

const openStore = (kind: Kind, part: string): Promise<Store> =>
  kind === "SQLite"
    ? openSqliteStore({ folder: join(folder, part) })
    : openPostgres({ url: serverUrl, schema: `${schema}_${part}` });

const row = (name: string, figures: readonly (readonly [Kind, number[], number[]])[]): string =>
  [
    name.padEnd(38),
    ...figures.map(([kind, rates, cpu]) => `${kind} ${median(rates).toFixed(0)}/s, ${median(cpu).toFixed(0)} us CPU`),
  ].join("   ");

async function compareCommits(): Promise<void> {
  const syncs: number[] = [];
  for (const [index, workload] of workloads.entries()) {
    const found: [Kind, number[], number[]][] = kinds.map((kind) => [kind, [], []]);
    const stores = await Promise.all(kinds.map((kind) => openStore(kind, `s${index}`)));
    const counters: number[][] = kinds.map(() => []);
    for (let round = 0; round <= rounds; round += 1) {
      syncs.push(measureFdatasync(folder, 200));
      for (const [at, store] of stores.entries()) {
        const figures = await runRound(store, workload, { counters: counters[at] ?? [], roundMs });
        // The first round warms up.
        if (round > 0) {
          found[at]?.[1].push(figures.commitsPerSecond);
          found[at]?.[2].push(figures.cpuMicroseconds);
        }
      }
    }
    for (const store of stores) await store.close();
    console.log(row(workload.name, found));
  }
  console.log(`fdatasync of 4 KiB: ${median(syncs).toFixed(0)}/s`);
}

const component = `export default {
  name: "Bench", version: "1", dedupe: "unique", props: { db: "$.service.db" },
  run() {
    const n = (this.db.get("n") ?? 0) + 1;
    this.db.set("n", n);
    this.$emit({ n }, { id: n, summary: "event " + n });
  },
};`;

const openRuntime = async (kind: Kind): ReturnType<typeof createRuntime> => {
  const place: RuntimeOptions =
    kind === "SQLite" ? { data: join(folder, "runtime") } : { store: await openStore(kind, "runtime") };
  return createRuntime({ ...place, secretKey: "a passphrase of the bench" });
};

async function compareRuns(): Promise<void> {
  const found: [Kind, number[], number[]][] = kinds.map((kind) => [kind, [], []]);
  const runtimes = await Promise.all(kinds.map(openRuntime));
  const deployed = await Promise.all(
    runtimes.map(async (runtime) => {
      await runtime.start();
      const views = await Promise.all(
        Array.from({ length: sources }, (_, n) => runtime.deploy({ code: component, name: `Bench ${n}` })),
      );
      return views.map(({ source }) => source.id);
    }),
  );
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, runtime] of runtimes.entries()) {
      const [cpu, start] = [process.cpuUsage(), performance.now()];
      let runs = 0;
      const lane = async (id: string): Promise<void> => {
        for (; performance.now() < start + roundMs; runs += 1) await runtime.invoke(id);
      };
      await Promise.all((deployed[at] ?? []).map(lane));
      const used = process.cpuUsage(cpu);
      if (round === 0) continue;
      found[at]?.[1].push((runs / (performance.now() - start)) * 1_000);
      found[at]?.[2].push((used.user + used.system) / runs);
    }
  }
  for (const runtime of runtimes) await runtime.close();
  console.log(row("whole invocations, run by hand", found));
}

console.log(`${machine()}; ${sources} sources at once, medians of ${rounds} rounds of ${roundMs / 1_000} s`);
try {
  await compareCommits();
  await compareRuns();
} finally {
  rmSync(folder, { recursive: true, force: true });
  for (const part of ["s0", "s1", "s2", "s3", "runtime"]) await dropSchema(`${schema}_${part}`);
}
