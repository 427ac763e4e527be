import { createEngine, type Engine, findBuildsFolder, type Limits } from "@x/runtime";

import { findInstrumentation } from "../coverage.ts";
import { type EngineKind, engineOf, findEngineKind } from "./engine-kind.ts";

/** Engines serve every test of the process: the second source starts in milliseconds. */
const engines = new Map<string, Promise<Engine>>();

/** Below the time that test runners give a test, so that the component's own error is what one reads. */
const harnessLimits: Partial<Limits> = { runTimeoutMs: 4_000, hookTimeoutMs: 4_000, optionsTimeoutMs: 4_000 };

function startEngine(kind: EngineKind, limits: Partial<Limits>): Promise<Engine> {
  const instrument = findInstrumentation();
  const buildsFolder = findBuildsFolder(process.cwd());
  return createEngine({
    ...engineOf(kind),
    warm: true,
    limits: { ...harnessLimits, ...limits },
    instrument,
    buildsFolder,
  });
}

/** The engine of this process with these limits; it lives as long as the process and does not keep it alive. */
export function sharedEngine(kind: EngineKind, limits: Partial<Limits> = {}): Promise<Engine> {
  const key = JSON.stringify([kind, ...Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const engine = engines.get(key) ?? startEngine(kind, limits);
  engines.set(key, engine);
  // One that could not start is tried again.
  engine.catch(() => engines.delete(key));
  return engine;
}

/** Starts the engine that tests get unless they say otherwise, while the rest of their file is read. */
export function warmEngine(): void {
  try {
    void sharedEngine(findEngineKind(undefined));
  } catch {
    // The first step tells what is wrong, where the test can show it.
  }
}
