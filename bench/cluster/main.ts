/** `npm run bench:cluster`: the same workload on our store and on job queues, by turns on one PostgreSQL. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { missingBinaries, type PrivatePostgres, startPostgres } from "../../test/cluster/private-postgres.ts";
import { machine, measureFdatasync, median } from "../machine.ts";
import type { NodePlan, NodeReport, Order } from "./engine.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    sources: { type: "string", default: "50" },
    /** Only contestants whose name matches this pattern. */
    only: { type: "string", default: "" },
  },
});

interface Contestant {
  readonly name: string;
  readonly engine: NodePlan["engine"];
  readonly nodes: number;
  /** More than it can do in a round. */
  readonly jobs: number;
}

const contestants: readonly Contestant[] = [
  { name: "x on SQLite", engine: "sqlite", nodes: 1, jobs: 60_000 },
  { name: "x, 1 node", engine: "x", nodes: 1, jobs: 20_000 },
  { name: "x, 2 nodes", engine: "x", nodes: 2, jobs: 20_000 },
  { name: "x, 3 nodes", engine: "x", nodes: 3, jobs: 20_000 },
  { name: "pg-boss", engine: "pg-boss", nodes: 1, jobs: 3_000 },
  { name: "graphile-worker", engine: "graphile-worker", nodes: 1, jobs: 3_000 },
];

/** A process with an engine. */
interface NodeProcess {
  order(order: Order): Promise<NodeReport | undefined>;
  end(): Promise<void>;
}

function startNode(): NodeProcess {
  const child: ChildProcess = fork(fileURLToPath(new URL("node.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@x/source"],
  });
  const gone = once(child, "exit");
  return {
    async order(order) {
      child.send(order);
      const [answer] = (await Promise.race([
        once(child, "message"),
        gone.then(() => Promise.reject(new Error("A node has ended."))),
      ])) as [{ report?: NodeReport; error?: string }];
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.report;
    },
    async end() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

interface Result {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
  readonly enqueuedPerSecond: number;
  /** What the server wrote to its log for each job. */
  readonly walBytes: number;
}

async function runRound(
  { engine, nodes, jobs }: Contestant,
  {
    postgres,
    folder,
    schema,
  }: { readonly postgres: PrivatePostgres; readonly folder: string; readonly schema: string },
): Promise<Result> {
  const place = engine === "sqlite" ? join(folder, schema) : postgres.url("").replace(/\?.*$/, "");
  const plan: NodePlan = { engine, place, schema, nodes, sources: Number(values.sources), jobs };
  const processes = Array.from({ length: nodes }, startNode);
  try {
    const [first, ...others] = processes;
    await first?.order({ open: plan });
    const began = performance.now();
    await first?.order("enqueue");
    const enqueueMs = performance.now() - began;
    // As autovacuum would have done by the time that so many jobs wait.
    await postgres.sql("ANALYZE");
    await Promise.all(others.map((node) => node.order({ open: plan })));
    await Promise.all(processes.map((node) => node.order("join")));
    const [from] = await postgres.sql("SELECT pg_current_wal_insert_lsn()");
    const reports = await Promise.all(processes.map((node) => node.order({ runMs: Number(values.seconds) * 1_000 })));
    const [written] = await postgres.sql(`SELECT pg_current_wal_insert_lsn() - '${from}'::pg_lsn`);
    await Promise.all(processes.map((node) => node.order("close")));
    const sum = (of: (report: NodeReport) => number): number =>
      reports.reduce((total, report) => total + (report ? of(report) : 0), 0);
    const handled = sum((report) => report.handled);
    return {
      perSecond: sum((report) => (report.handled / report.ms) * 1_000),
      cpuMicroseconds: sum((report) => report.cpuMicroseconds) / handled,
      enqueuedPerSecond: (jobs / enqueueMs) * 1_000,
      walBytes: Number(written) / handled,
    };
  } finally {
    for (const node of processes) await node.end();
    if (engine !== "sqlite")
      await postgres.sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE; DROP SCHEMA IF EXISTS ${schema}_data CASCADE`);
  }
}

async function compare(postgres: PrivatePostgres, folder: string): Promise<void> {
  const chosen = contestants.filter(({ name }) => new RegExp(values.only).test(name));
  const found = new Map<string, Result[]>(chosen.map(({ name }) => [name, []]));
  const syncs: number[] = [];
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    for (const [index, contestant] of chosen.entries()) {
      syncs.push(measureFdatasync(folder, 200));
      const result = await runRound(contestant, { postgres, folder, schema: `r${round}_${index}` });
      found.get(contestant.name)?.push(result);
      console.log(`round ${round}, ${contestant.name}: ${result.perSecond.toFixed(0)}/s`);
    }
  }
  console.log(
    `medians of ${values.rounds} rounds of ${values.seconds} s, ${values.sources} sources; fdatasync of 4 KiB: ${median(syncs).toFixed(0)}/s`,
  );
  for (const [name, results] of found) {
    const of = (figure: (result: Result) => number): string => median(results.map(figure)).toFixed(0);
    console.log(
      `${name.padEnd(18)} ${of(({ perSecond }) => perSecond).padStart(6)}/s   ${of(({ cpuMicroseconds }) => cpuMicroseconds).padStart(6)} us CPU of the nodes each   enqueued ${of(({ enqueuedPerSecond }) => enqueuedPerSecond)}/s   ${of(({ walBytes }) => walBytes)} bytes of WAL each`,
    );
  }
}

const peers = fileURLToPath(new URL("../peers/cluster/node_modules", import.meta.url));
if (!existsSync(peers)) {
  console.error("What is compared with is not installed: npm ci --prefix bench/peers/cluster");
  process.exitCode = 4;
} else if (missingBinaries() === undefined) {
  console.log(machine());
  const folder = await mkdtemp(join(process.env["X_BENCH_FOLDER"] ?? tmpdir(), "x-bench-"));
  await using postgres = await startPostgres();
  try {
    await compare(postgres, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
