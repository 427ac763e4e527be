import { createBundler } from "./component/bundler.ts";
import { keepBundles } from "./component/kept-bundles.ts";
import { type Engine, type EngineOptions, resolveLimits } from "./options.ts";
import { keepDescriptions } from "./sandbox/kept-descriptions.ts";
import { createPool } from "./sandbox/pool.ts";

/**
 * Sandbox threads and the bundler, for several runtimes of one process: the second starts in about a millisecond.
 * Idle, it does not keep the process alive. Close it after the runtimes. Rejects with `invalid_options`.
 */
export async function createEngine({ workers, limits: given, warm }: EngineOptions = {}): Promise<Engine> {
  const limits = resolveLimits(given);
  const sandbox = keepDescriptions(await createPool({ workers, limits }));
  if (warm) sandbox.warm();
  const bundler = keepBundles(
    createBundler({
      timeoutMs: limits.bundleTimeoutMs,
      memoryBytes: limits.bundleMemoryBytes,
      codeBytes: limits.codeBytes,
    }),
  );
  const close = async (): Promise<void> => {
    await Promise.all([sandbox.close(), bundler.close()]);
  };
  return { limits, sandbox, bundler, close, [Symbol.asyncDispose]: close };
}
