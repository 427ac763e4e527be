import { createEngine } from "./engine.ts";
import type { Engine, EngineOptions } from "./options.ts";

const engines = new Map<string, Promise<Engine>>();

/** What tests run on: a thread of the sandbox, or what the parity suite runs them again on. */
const kinds: { readonly [kind: string]: EngineOptions } = {
  inline: { workers: 0 },
  node: { sandbox: "node" },
};

/** One engine for all tests of a process, because threads take longer to start than most tests run. It ends with the process. */
export function testEngine(): Promise<Engine> {
  const kind = process.env["X_ENGINE"] ?? "";
  const engine = engines.get(kind) ?? createEngine(kinds[kind] ?? { workers: 1 });
  engines.set(kind, engine);
  return engine;
}
