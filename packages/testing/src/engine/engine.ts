import { createEngine, type Engine, type EngineOptions, findBuildsFolder, type Limits } from "@x/runtime";

import { findInstrumentation } from "../coverage.ts";
import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** Engines that can run a component under test. */
export type EngineKind = "quickjs" | "threads" | "node";

/** The options of each engine. */
const engineOptions: { readonly [kind in EngineKind]: Pick<EngineOptions, "sandbox" | "workers"> } = {
  // A test runs one step after another: a thread would gain nothing.
  quickjs: { sandbox: "quickjs", workers: 0 },
  threads: { sandbox: "quickjs", workers: 1 },
  node: { sandbox: "node" },
};
const isKind = (given: unknown): given is EngineKind =>
  typeof given === "string" && Object.hasOwn(engineOptions, given);

/** The engine that the test names, else that of `X_ENGINE`, else the sandbox. Throws `HarnessError` for an unknown one. */
export function findEngineKind(given: unknown, environment: NodeJS.ProcessEnv = process.env): EngineKind {
  const asked = given ?? (environment["X_ENGINE"] || undefined);
  if (asked === undefined) return "quickjs";
  if (isKind(asked)) return asked;
  const where = given === undefined ? "X_ENGINE" : "engine";
  throw new HarnessError(
    `${where} must be "quickjs", the sandbox, "threads", the sandbox in a worker thread as in x serve, or "node", for debuggers; got ${shown(asked)}.`,
  );
}

/** One engine for all tests of the process with the same options: their sources start in milliseconds. */
const engines = new Map<string, Promise<Engine>>();

/** Below the usual timeout of a test, so that the component's error is reported, not that of the test runner. */
const harnessLimits: Partial<Limits> = { runTimeoutMs: 4_000, hookTimeoutMs: 4_000, optionsTimeoutMs: 4_000 };

const isWatching = (): boolean => process.env["VITEST_MODE"] === "WATCH";

function startEngine(kind: EngineKind, limits: Partial<Limits>): Promise<Engine> {
  const instrument = findInstrumentation();
  const buildsFolder = findBuildsFolder(process.cwd());
  return createEngine({
    ...engineOptions[kind],
    // Vitest runs the tests again because a file has changed.
    warm: isWatching() ? "changing" : true,
    limits: { ...harnessLimits, ...limits },
    instrument,
    buildsFolder,
  });
}

/** The engine of this process with these limits. It is never closed, and does not keep the process running. */
export function sharedEngine(kind: EngineKind, limits: Partial<Limits> = {}): Promise<Engine> {
  const key = JSON.stringify([kind, ...Object.entries(limits).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
  const engine = engines.get(key) ?? startEngine(kind, limits);
  engines.set(key, engine);
  // A failed start is repeated by the next call.
  engine.catch(() => engines.delete(key));
  return engine;
}

/** Starts the default engine while the test file is still loading. */
export function warmEngine(): void {
  try {
    void sharedEngine(findEngineKind(undefined));
  } catch {
    // The first step throws this error again, inside the test.
  }
}
