import { createEngine, type Engine, type Limits } from "@x/runtime";

/** Sandbox threads serve every test of the process: the second source starts in milliseconds. */
const engines = new Map<string, Promise<Engine>>();

/** Below the time that test runners give a test, so that the component's own error is what one reads. */
const harnessLimits: Partial<Limits> = { runTimeoutMs: 4_000, hookTimeoutMs: 4_000, optionsTimeoutMs: 4_000 };

/** The engine of this process with these limits; it lives as long as the process and does not keep it alive. */
export function sharedEngine(limits: Partial<Limits> = {}): Promise<Engine> {
  const key = JSON.stringify(Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const engine = engines.get(key) ?? createEngine({ workers: 1, warm: true, limits: { ...harnessLimits, ...limits } });
  engines.set(key, engine);
  // One that could not start is tried again.
  engine.catch(() => engines.delete(key));
  return engine;
}
