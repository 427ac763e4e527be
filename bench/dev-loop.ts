import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { machine } from "./machine.ts";

/** From a saved file to the event of its new code in the output of `x dev --run --json`. */
export interface DevLoopReport {
  readonly edits: number;
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
}

const edits = 50;
const warmUps = 5;
const main = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));

const component = (version: string): string => `import { label } from "./label.js";

export default {
  name: "Edited",
  version: "0.1.0",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }, db: "$.service.db" },
  hooks: {
    activate() { this.db.set("active", true); },
    deactivate() { this.db.set("active", false); },
  },
  run() {
    const runs = (this.db.get("runs") ?? 0) + 1;
    this.db.set("runs", runs);
    this.$emit({ version: "${version}", label, runs });
  },
};
`;
const label = (text: string): string => `export const label = "${text}";\n`;

interface Told {
  readonly message: string;
  readonly event?: { readonly version: string; readonly label: string };
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

/** Edits the component and its imported file alternately, each time after the output of the previous run. */
export async function runDevLoopBench(): Promise<DevLoopReport> {
  const folder = mkdtempSync(join(tmpdir(), "x-dev-loop-"));
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  write("edited.js", component("start"));
  write("label.js", label("start"));
  const args = ["dev", "edited.js", "--run", "--json", "--port", "0"];
  const x = spawn(process.execPath, [main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: x.stdout })[Symbol.asyncIterator]();

  async function seen(wanted: (event: NonNullable<Told["event"]>) => boolean): Promise<void> {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error("x dev has ended");
      const { message, event } = JSON.parse(value) as Told;
      if (message === "event" && event && wanted(event)) return;
    }
  }

  const times: number[] = [];
  try {
    await seen(({ version }) => version === "start");
    for (let edit = 0; edit < warmUps + edits; edit++) {
      const mark = `edit ${edit}`;
      const start = performance.now();
      if (edit % 2 === 0) write("edited.js", component(mark));
      else write("label.js", label(mark));
      await seen((event) => event.version === mark || event.label === mark);
      if (edit >= warmUps) times.push(performance.now() - start);
    }
  } finally {
    x.kill("SIGTERM");
    await once(x, "exit");
    rmSync(folder, { recursive: true });
  }
  times.sort((a, b) => a - b);
  return { edits, p50: at(times, 0.5), p95: at(times, 0.95), longest: at(times, 1) };
}

const ms = (time: number): string => `${time.toFixed(1)} ms`;

export const formatDevLoopReport = ({ edits, p50, p95, longest }: DevLoopReport): string =>
  `x dev, edit to rerun, ${edits} edits: p50 ${ms(p50)}, p95 ${ms(p95)}, longest ${ms(longest)}`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatDevLoopReport(await runDevLoopBench()));
}
