import type { Sandbox } from "./contract.ts";
import { createPool, type PoolOptions } from "./pool/pool.ts";

/** What runs the code: QuickJS, or realms of Node for debugging. */
export type SandboxKind = "quickjs" | "node";

/**
 * Creates the sandbox that the options ask for: threads, or with `workers: 0` or Node's engine the thread of the caller.
 * Programs that use threads, which are nearly all, do not load the others.
 */
export async function openSandbox(kind: SandboxKind, options: PoolOptions): Promise<Sandbox> {
  if (kind === "node") return (await import("./engines/node-sandbox.ts")).createNodeSandbox(options);
  if (options.workers === 0) return (await import("./engines/inline-sandbox.ts")).createInlineSandbox(options);
  return createPool(options);
}
