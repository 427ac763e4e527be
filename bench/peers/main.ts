/** `npm run bench:peers`: the same component in x's sandbox and in other engines, by turns in one process. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { machine, median } from "../machine.ts";
import { updatePage } from "../page.ts";
import { type Contestant, killAfterMs, type Live, type Opened } from "./contestant.ts";
import { contestants } from "./contestants.ts";
import type { MemoryReport } from "./memory.ts";
import { type CheckedHost, eventText, openHost } from "./workload.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "7" },
    /** Calls in a round. */
    calls: { type: "string", default: "100" },
    /** Tenants of the measurement of memory. */
    tenants: { type: "string", default: "10" },
    /** Only contestants whose name matches this pattern. */
    only: { type: "string", default: "" },
    /** Replaces the table in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});

interface Figures {
  readonly cold: number[];
  readonly warm: number[];
  readonly cpu: number[];
  readonly kill: number[];
}

interface Running {
  readonly contestant: Contestant;
  readonly opened: Opened;
  readonly live: Live;
  readonly check: CheckedHost["check"];
  readonly figures: Figures;
}

const ticksPerSecond = 100;

/** CPU time in us that this process and those of the engine have used. */
function cpuOf({ pids = [] }: Opened): number {
  const { user, system } = process.cpuUsage();
  const others = pids.map((pid) => {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [utime = 0, stime = 0] = fields.split(" ").slice(11, 13).map(Number);
    return ((utime + stime) / ticksPerSecond) * 1e6;
  });
  return others.reduce((sum, each) => sum + each, user + system);
}

async function callOnce(live: Live, check: CheckedHost["check"]): Promise<number> {
  const begun = performance.now();
  const result = await live.call(eventText);
  const us = (performance.now() - begun) * 1_000;
  check(result);
  return us;
}

/** Tenant 0 lives on; every round starts a new one. */
async function begin(contestant: Contestant): Promise<Running> {
  const opened = await contestant.open();
  const host = openHost();
  const live = await (await opened.park(0)).start(host);
  for (let call = 0; call < 60; call += 1) await callOnce(live, host.check);
  return { contestant, opened, live, check: host.check, figures: { cold: [], warm: [], cpu: [], kill: [] } };
}

async function runRound({ opened, live, check, figures }: Running, round: number): Promise<void> {
  const parked = await opened.park(round);
  const host = openHost();
  const coldAt = performance.now();
  const cold = await parked.start(host);
  const first = await cold.call(eventText);
  figures.cold.push((performance.now() - coldAt) * 1_000);
  host.check(first);
  const calls = Number(values.calls);
  await callOnce(live, check);
  const cpu = cpuOf(opened);
  const times = [];
  for (let call = 0; call < calls; call += 1) times.push(await callOnce(live, check));
  figures.cpu.push((cpuOf(opened) - cpu) / calls);
  figures.warm.push(median(times));
  if (cold.loop) {
    const begun = performance.now();
    const ms = (await cold.loop()) ?? performance.now() - begun;
    figures.kill.push(Math.max(0, ms - killAfterMs));
  } else await cold.close();
}

async function memoryOf({ name }: Contestant): Promise<MemoryReport | undefined> {
  const child = fork(fileURLToPath(new URL("memory.ts", import.meta.url)), [name, values.tenants], {
    execArgv: ["--conditions=@x/source", "--expose-gc"],
  });
  const gone = once(child, "exit");
  const [report] = (await Promise.race([once(child, "message"), gone.then(() => [undefined])])) as [MemoryReport?];
  await gone;
  return report;
}

const us = (value: number): string => (value >= 10_000 ? `${(value / 1_000).toFixed(1)} ms` : `${value.toFixed(0)} us`);
const size = (bytes: number | undefined): string =>
  bytes === undefined
    ? "-"
    : bytes >= 1e6
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${Math.max(0, bytes / 1e3).toFixed(0)} kB`;

const table = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const figureHead = [
  "Engine",
  "Cold start",
  "Warm call",
  "Calls per CPU second",
  "Kill, after its deadline",
  "Memory of a parked tenant",
  "Memory of a tenant in a call",
];
const propertyHead = ["Engine", "Fresh realm per call", "Memory cap", "Kill", "Durable effects", "Note"];
const line = (head: readonly string[]): readonly string[] => head.map(() => "---");

const figureRow = ({ contestant, figures }: Running, memory: MemoryReport | undefined): readonly string[] => [
  contestant.name,
  us(median(figures.cold)),
  us(median(figures.warm)),
  (1e6 / median(figures.cpu)).toFixed(0),
  figures.kill.length > 0 ? `${median(figures.kill).toFixed(1)} ms` : "-",
  size(memory?.parked),
  size(memory?.live),
];
const propertyRow = ({ name, freshRealm, memoryCap, kill, durable, note }: Contestant): readonly string[] => [
  name,
  freshRealm ? "yes" : "no",
  memoryCap,
  kill,
  durable,
  note ?? "",
];

async function compare(): Promise<void> {
  const rounds = Number(values.rounds);
  const running: Running[] = [];
  const absent: string[] = [];
  for (const contestant of contestants(rounds + 1).filter(({ name }) => new RegExp(values.only).test(name))) {
    try {
      running.push(await begin(contestant));
    } catch (error) {
      absent.push(`${contestant.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  for (let round = 1; round <= rounds; round += 1) for (const each of running) await runRound(each, round);
  for (const { opened } of running) await opened.close();
  const rows = [];
  for (const each of running) {
    rows.push(figureRow(each, await memoryOf(each.contestant)));
    console.log(rows.at(-1)?.join("  "));
  }
  const settings = `${machine()}; medians of ${rounds} rounds of ${values.calls} calls; memory of ${values.tenants} tenants.`;
  const properties = running.map(({ contestant }) => propertyRow(contestant));
  const text = [
    settings,
    table([figureHead, line(figureHead), ...rows]),
    table([propertyHead, line(propertyHead), ...properties]),
    ...absent.map((reason) => `Did not start: ${reason}.`),
  ].join("\n\n");
  console.log(text);
  if (values.update) updatePage("peers", text);
}

const peers = fileURLToPath(new URL("engines/node_modules", import.meta.url));
if (existsSync(peers)) {
  await compare();
  // Some engines keep threads.
  process.exit(0);
} else {
  console.error("What is compared with is not installed: npm ci --ignore-scripts --prefix bench/peers/engines");
  process.exitCode = 4;
}
