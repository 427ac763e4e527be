/** `npm run bench:scale`: memory, restart, deploys and lists of one process with many components and sources. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { findServiceStart } from "../../packages/cli/src/service-process.ts";
import { machine } from "../machine.ts";
import { updatePage } from "../page.ts";
import { drawChart } from "./chart.ts";
import type { ScaleMessage, ScalePlan, ScaleReport } from "./plan.ts";

const { values } = parseArgs({
  options: {
    /** Distinct components, each with one source; 0: none. */
    distinct: { type: "string", default: "1000" },
    /** Sources of 100 components; 0: none. */
    sources: { type: "string", default: "10000" },
    /** Replaces the figures and charts in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});

/** As a service starts: its allocator and its young generation are bounded. */
const start = findServiceStart(process.platform, { env: process.env, flags: [] }) ?? { env: process.env, flags: [] };

async function runProcess(plan: ScalePlan, isFull: boolean): Promise<ScaleMessage> {
  const child = fork(fileURLToPath(new URL("process.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@x/source", "--expose-gc", ...start.flags],
    env: start.env,
  });
  const gone = once(child, "exit").then(() => Promise.reject(new Error("A process of the measurement has ended")));
  gone.catch(() => undefined);
  child.send({ plan, isFull });
  const [message] = (await Promise.race([once(child, "message"), gone])) as [ScaleMessage];
  await gone.catch(() => undefined);
  return message;
}

async function measure(given: Omit<ScalePlan, "folder">): Promise<ScaleReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-scale-"));
  try {
    const filled = await runProcess({ ...given, folder }, false);
    const opened = await runProcess({ ...given, folder }, true);
    if (!("filled" in filled) || !("restarted" in opened)) throw new Error("A process answered another question");
    return { points: filled.filled, ...opened.restarted };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

function tableOf(title: string, { points, restartMs, restarted, burst }: ScaleReport): string {
  const [first] = points;
  const rows = points.slice(1).map(({ sources, resident, deployMs, listMs }, index) => {
    const before = points[index] ?? { resident: 0, sources: 0 };
    const each = (resident - before.resident) / (sources - before.sources);
    return `| ${sources} | ${megabytes(resident)} | ${Math.max(0, each / 1e3).toFixed(1)} kB | ${deployMs.toFixed(1)} ms | ${listMs.toFixed(1)} ms |`;
  });
  return [
    `**${title}**; at its beginning ${megabytes(first?.resident ?? 0)} with ${first?.sources ?? 0} sources.`,
    "",
    "| Sources | Resident | Each since the row above | Deploy | List of 100 |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    `Restart to the first result: ${(restartMs / 1e3).toFixed(2)} s, then ${megabytes(restarted)} resident. ` +
      `After ${burst.sources} sources ran at once: ${megabytes(burst.peak)}; after 25 idle seconds ${megabytes(burst.after)}.`,
  ].join("\n");
}

/** Measures, prints, and with `--update` writes a part of the page; each as soon as it is known. */
async function report(name: string, title: string, plan: Omit<ScalePlan, "folder">): Promise<void> {
  const found = await measure(plan);
  const table = tableOf(title, found);
  console.log(table);
  if (!values.update) return;
  const line = {
    name: "resident memory",
    points: found.points.map(({ sources, resident }): [number, number] => [sources, resident / 1e6]),
  };
  const chart = drawChart({ title, xLabel: "sources", yLabel: "MB", lines: [line] });
  writeFileSync(new URL(`../../docs/images/scale-${name}.svg`, import.meta.url), chart);
  updatePage(`scale ${name}`, `${machine()}\n\n${table}\n\n![${title}](images/scale-${name}.svg)`);
}

console.log(machine());
const [distinct, sources] = [Number(values.distinct), Number(values.sources)];
if (distinct > 0)
  await report("distinct", "Distinct components with a timer, one source each", {
    kind: "distinct",
    components: distinct,
    sources: distinct,
  });
if (sources > 0)
  await report("sources", "Sources of 100 components, each with a timer", {
    kind: "sources",
    components: 100,
    sources,
  });
