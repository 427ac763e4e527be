import type { Sandbox } from "./contract.ts";

const limits = { timeoutMs: 5_000, memoryBytes: 64 * 1024 * 1024, image: false };

/** Resolves when a thread of the sandbox has run something, so that the next call does not wait for its start. */
export async function warmUp(sandbox: Pick<Sandbox, "describe">): Promise<void> {
  await sandbox.describe({ hash: "warm-up", code: "" }, limits);
}
