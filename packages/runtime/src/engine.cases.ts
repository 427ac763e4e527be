import { createEngine } from "./engine.ts";
import { type Engine, type EngineOptions } from "./api/options.ts";
import { type Limits, resolveLimits } from "../../model/src/limits.ts";

const engines = new Map<string, Promise<Engine>>();

/** Engines of the parity suite; other tests use one sandbox thread. */
const kinds: { readonly [kind: string]: EngineOptions } = {
  inline: { workers: 0 },
  node: { sandbox: "node" },
};

/** Limits that threads, the bundler and installing processes have from their start. Others are parameters of calls, or of the runtime. */
const builtIn: ReadonlySet<string> = new Set<keyof Limits>([
  "bundleBytes",
  "bundleMemoryBytes",
  "bundleTimeoutMs",
  "channelsPerRun",
  "codeBytes",
  "dbBytes",
  "dbKeyBytes",
  "dbValueBytes",
  "effectBytesPerRun",
  "emitBytes",
  "emitDepth",
  "emitsPerRun",
  "logRecordBytes",
  "logsPerRun",
  "packageMemoryBytes",
  "packageTimeoutMs",
  "responseBytes",
  "summaryChars",
]);

/** A busy machine may evaluate slowly. */
const patient: Partial<Limits> = { registryWaitMs: 60_000 };

/** One engine for all tests of a process, because threads take longer to start than most tests run. It ends with the process. */
export function testEngine(): Promise<Engine> {
  const kind = process.env["X_ENGINE"] ?? "";
  const engine = engines.get(kind) ?? createEngine({ limits: patient, ...(kinds[kind] ?? { workers: 1 }) });
  engines.set(kind, engine);
  return engine;
}

/** The same threads and processes with other limits. */
export async function testEngineWithin(limits: Partial<Limits>): Promise<Engine> {
  const own = Object.keys(limits).find((name) => builtIn.has(name));
  if (own !== undefined) throw new Error(`${own} needs an engine of its own`);
  return { ...(await testEngine()), limits: resolveLimits({ ...patient, ...limits }) };
}
