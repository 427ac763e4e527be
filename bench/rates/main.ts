/**
 * `npm run bench:rates`: what an event costs at the rates that people have, beside a plain script of Node: sources that tick
 * once a minute, requests one by one, and nothing at all.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { quantile } from "../../test/quantiles.ts";
import { machine, median } from "../machine.ts";
import { updatePage } from "../page.ts";
import type { Figures, Task } from "./child.ts";
import { hasPeers } from "./load-peer.ts";

const { values } = parseArgs({
  options: {
    /** Sources that tick. */
    sources: { type: "string", default: "300" },
    /** Seconds from a tick of a source to its next one; default: the time of a measurement. */
    interval: { type: "string" },
    /** Requests in a second; several with commas, or none. */
    rates: { type: "string", default: "1,10,100" },
    seconds: { type: "string", default: "30" },
    rounds: { type: "string", default: "3" },
    /** Compares with programs in bench/rates/peers, too. */
    peers: { type: "boolean", default: false },
    /** Replaces the table in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
const interval = Number(values.interval ?? seconds);
const rates = values.rates
  .split(",")
  .map(Number)
  .filter((rate) => rate > 0);
const programs = {
  x: "x",
  plain: "plain script",
  walls: "plain script, sandbox and writer in threads",
  keyv: "node-cron, Keyv on SQLite",
  bullmq: "BullMQ on Redis",
  miniflare: "miniflare, durable objects",
} as const;
const own = ["x", "plain", "walls"] as const;
const peers = ["keyv", "bullmq", "miniflare"] as const;
const sides = values.peers && hasPeers() ? [...own, ...peers] : own;
if (values.peers && !hasPeers())
  console.error("Without other programs; they are not installed: npm ci --ignore-scripts --prefix bench/rates/peers");
const child = fileURLToPath(new URL("child.ts", import.meta.url));

const loads: readonly { readonly name: string; readonly sources: number; readonly rate: number }[] = [
  { name: "nothing", sources: 0, rate: 0 },
  ...(Number(values.sources) > 0
    ? [{ name: `${values.sources} sources, each a tick in ${interval} s`, sources: Number(values.sources), rate: 0 }]
    : []),
  ...rates.map((rate) => ({ name: `${rate} ${rate === 1 ? "request" : "requests"} a second`, sources: 0, rate })),
];

/** Without the flags of this process: the built packages, as embedders load them. */
const run = (task: Task): Figures =>
  JSON.parse(execFileSync(process.execPath, [child, JSON.stringify(task)], { encoding: "utf8" })) as Figures;

function row(name: string, side: keyof typeof programs, all: readonly Figures[]): string {
  const each = (of: (figures: Figures) => number): number => median(all.map(of));
  const perEvent = (of: (figures: Figures) => number, digits: number): string =>
    all.some(({ events }) => events === 0) ? "-" : each((figures) => of(figures) / figures.events).toFixed(digits);
  const times = all.flatMap((figures) => figures.times);
  const time = (share: number): string => (times.length === 0 ? "-" : `${quantile(times, share).toFixed(1)} ms`);
  const share = each(({ cpuMs }) => cpuMs / (seconds * 10));
  const cells = [
    name,
    programs[side],
    `${perEvent(({ cpuMs }) => cpuMs, 2)} ms`.replace(/^- ms$/, "-"),
    `${share.toFixed(2)} %`,
    `${each(({ residentMb }) => residentMb).toFixed(0)} MB`,
    perEvent(({ transactions }) => transactions ?? Number.NaN, 2).replace("NaN", "-"),
    perEvent(({ wakeUps }) => wakeUps, 1),
    time(0.5),
    time(0.99),
  ];
  return `| ${cells.join(" | ")} |`;
}

const lines = [
  `${machine()}; medians of ${values.rounds} by turns, of ${seconds} s each.`,
  "",
  "| Load | Program | Processor time of an event | Share of a core | Resident | Transactions of an event | Wake-ups of an event | Due to committed, p50 | p99 |",
  "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
];
console.log(lines.join("\n"));
for (const { name, sources, rate } of loads) {
  const found = new Map<string, Figures[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const side of round % 2 === 0 ? sides : sides.toReversed())
      found.get(side)?.push(run({ side, sources, interval, rate, seconds }));
  for (const side of sides) {
    const line = row(name, side, found.get(side) ?? []);
    console.log(line);
    lines.push(line);
  }
}
if (values.update) updatePage("rates", lines.join("\n"));
