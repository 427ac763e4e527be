import { createEngine } from "./engine.ts";
import type { Engine, SandboxKind } from "./options.ts";

const engines = new Map<SandboxKind, Promise<Engine>>();

/** What tests run on: the sandbox, or Node's engine where the parity suite runs them again. */
const testKind = (): SandboxKind => (process.env["X_ENGINE"] === "node" ? "node" : "quickjs");

/** One engine for all tests of a process, because threads take longer to start than most tests run. It ends with the process. */
export function testEngine(): Promise<Engine> {
  const kind = testKind();
  const engine = engines.get(kind) ?? createEngine({ workers: 1, sandbox: kind });
  engines.set(kind, engine);
  return engine;
}
