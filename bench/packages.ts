import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

import { createRuntime, type Runtime, type SourceView } from "@x/runtime";

import { machine, median } from "./machine.ts";

/** Deploys of a component that imports axios from the configured npm registry. */
export interface PackagesReport {
  /** Bytes of the bundle. */
  readonly bundleBytes: number;
  /** With an empty cache. */
  readonly coldMs: number;
  /** Another component with the same import: the version is resolved at the registry again. */
  readonly warmMs: number;
  /** An update of a source, whose versions are pinned. */
  readonly updateMs: number;
  /** A new process without a registry. */
  readonly offlineMs: number;
}

const rounds = 15;

const component = (round: number): string => `import axios from "axios";
export default { name: "Bench", version: "0.1.0", props: {}, run() { this.$emit(typeof axios.get); } };
// ${round}`;

async function timed<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

/** Ignores the first, which starts processes and threads. */
async function rounded(work: (round: number) => Promise<SourceView>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const [ms] = await timed(() => work(round));
    if (round > 0) times.push(ms);
  }
  return median(times);
}

export async function runPackagesBench(): Promise<PackagesReport> {
  const cache = mkdtempSync(join(tmpdir(), "x-packages-"));
  const withRuntime = async <T>(registry: string | undefined, work: (runtime: Runtime) => Promise<T>): Promise<T> => {
    await using runtime = await createRuntime({ packages: { cache, ...(registry !== undefined && { registry }) } });
    // Awaited, so that the runtime is not closed before.
    return await work(runtime);
  };
  try {
    return await withRuntime(undefined, async (runtime) => {
      const [coldMs, first] = await timed(() => runtime.deploy({ code: component(-1) }));
      const warmMs = await rounded((round) => runtime.deploy({ code: component(round) }));
      const updateMs = await rounded((round) => runtime.update(first.source.id, { code: component(1_000 + round) }));
      // Nothing listens there.
      const offlineMs = await withRuntime("http://127.0.0.1:9/", async (alone) => {
        const [ms] = await timed(() => alone.deploy({ code: component(-2) }));
        return ms;
      });
      const { bundle } = await runtime.componentTexts(first.component.id);
      return { bundleBytes: Buffer.byteLength(bundle), coldMs, warmMs, updateMs, offlineMs };
    });
  } finally {
    rmSync(cache, { recursive: true });
  }
}

const ms = (time: number): string => `${time.toFixed(0)} ms`;

export const formatPackagesReport = (report: PackagesReport): string =>
  `component with axios (bundle ${(report.bundleBytes / 1000).toFixed(1)} kB): cold deploy ${ms(report.coldMs)}, ` +
  `warm ${ms(report.warmMs)}, update ${ms(report.updateMs)}, first one without the registry ${ms(report.offlineMs)}`;

if (import.meta.main) {
  console.log(machine());
  console.log(formatPackagesReport(await runPackagesBench()));
}
