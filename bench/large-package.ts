/** `npm run bench:large`: memory and time of a service that deploys components with a very large npm package. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { createRuntime } from "@x/runtime";

import { findServiceStart } from "../packages/cli/src/service-process.ts";
import { machine } from "./machine.ts";

const { values } = parseArgs({
  options: {
    package: { type: "string", default: "googleapis" },
    /** Folder of installed packages, which remains; default: an empty one. */
    cache: { type: "string" },
    /** For the process that deploys: its data folder. */
    serve: { type: "string" },
  },
});

const restMs = 10_000;
/** Reading the memory of a large process takes some milliseconds, and stops it. */
const sampleMs = 400;

/** Memory of a process and all that it started, by what they are, in bytes: shared pages count once. */
type Memory = ReadonlyMap<string, number>;

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
};

const processName = (command: string): string =>
  ["bundler.mjs", "packages.mjs", "esbuild"].find((name) => command.includes(name)) ?? "service";

function memoryOf(processId: number, found: Map<string, number> = new Map()): Memory {
  const kibibytes = Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${processId}/smaps_rollup`))?.[1] ?? 0);
  const name = processName(read(`/proc/${processId}/cmdline`));
  found.set(name, (found.get(name) ?? 0) + kibibytes * 1024);
  const children = read(`/proc/${processId}/task/${processId}/children`).split(" ").filter(Boolean);
  for (const child of children) memoryOf(Number(child), found);
  return found;
}

const total = (memory: Memory): number => [...memory.values()].reduce((sum, each) => sum + each, 0);
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const formatParts = (memory: Memory): string =>
  [...memory].map(([name, bytes]) => `${name} ${megabytes(bytes)}`).join(", ");
const formatMemory = (memory: Memory): string => `${megabytes(total(memory))} (${formatParts(memory)})`;

const small = `export default { name: "Small", version: "0.1.0", props: {}, run() { this.$emit(1); } };`;
const large = (round: number, name: string): string => `import * as all from "${name}";
export default { name: "Large", version: "0.1.0", props: {}, run() { this.$emit(Object.keys(all).length); } };
// ${round}`;

/** The service: deploys each text that it is sent, and answers with an error's message or nothing. */
async function serve(folder: string, cache: string | undefined): Promise<void> {
  const runtime = await createRuntime({
    data: folder,
    ...(cache !== undefined && { packages: { cache } }),
    limits: { bundleTimeoutMs: 60_000, describeTimeoutMs: 60_000 },
  });
  process.on("message", (code: string) => {
    const deployed = runtime.deploy({ code }).then(
      () => "",
      (error: unknown) => String(error),
    );
    void deployed.then((answer) => process.send?.(answer));
  });
  process.on("disconnect", () => void runtime.close());
}

async function measure(name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "x-large-"));
  const { env, flags } = findServiceStart(process.platform, { env: process.env, flags: [] }) ?? {
    env: process.env,
    flags: [],
  };
  const child = fork(
    fileURLToPath(import.meta.url),
    ["--serve", folder, ...(values.cache === undefined ? [] : ["--cache", values.cache])],
    {
      execArgv: ["--conditions=@x/source", ...flags],
      env,
    },
  );
  const sample = (): Memory => memoryOf(child.pid ?? 0);

  /** Deploys, and returns the memory when the most was used, and the most of each process. */
  async function deploy(code: string): Promise<{ readonly most: Memory; readonly each: Memory }> {
    let most = sample();
    const each = new Map(most);
    const timer = setInterval(() => {
      const now = sample();
      if (total(now) > total(most)) most = now;
      for (const [name, bytes] of now) each.set(name, Math.max(bytes, each.get(name) ?? 0));
    }, sampleMs);
    child.send(code);
    const [answer] = (await once(child, "message")) as [string];
    clearInterval(timer);
    if (answer !== "") throw new Error(answer);
    return { most, each };
  }

  try {
    await deploy(small);
    await wait(restMs);
    const before = sample();
    console.log(`before: ${formatMemory(before)}`);
    let last = total(before);
    for (let round = 1; round <= 2; round += 1) {
      const start = performance.now();
      const { most, each } = await deploy(large(round, name));
      const seconds = ((performance.now() - start) / 1e3).toFixed(1);
      const grown = megabytes(total(most) - last);
      console.log(`deploy ${round} with ${name}: ${seconds} s, at most ${formatMemory(most)}, which is +${grown}`);
      console.log(`  most of each: ${formatParts(each)}`);
      await wait(restMs);
      const after = sample();
      last = total(after);
      console.log(`  ten seconds later: ${formatMemory(after)}`);
    }
  } finally {
    child.disconnect();
    await once(child, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.serve === undefined) {
  console.log(machine());
  await measure(values.package);
} else await serve(values.serve, values.cache);
