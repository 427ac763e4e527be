import { createBundler } from "./component/bundler.ts";
import { keepBundles } from "./component/kept-bundles.ts";
import { propsRules } from "./component/props.ts";
import { type Engine, type EngineOptions, resolveLimits } from "./options.ts";
import { keepDescriptions } from "./sandbox/kept-descriptions.ts";
import { createPool } from "./sandbox/pool.ts";
import { invalidCron } from "./trigger/cron.ts";

/**
 * Sandbox threads and the bundler, for several runtimes of one process: the second starts in about a millisecond.
 * Idle, it does not keep the process alive. Close it after the runtimes. Rejects with `invalid_options`.
 */
export async function createEngine({ workers, limits: given, warm }: EngineOptions = {}): Promise<Engine> {
  const limits = resolveLimits(given);
  const bundler = keepBundles(
    createBundler({
      timeoutMs: limits.bundleTimeoutMs,
      memoryBytes: limits.bundleMemoryBytes,
      codeBytes: limits.codeBytes,
    }),
  );
  // First, as it takes longest.
  if (warm) bundler.warm();
  const sandbox = keepDescriptions(await createPool({ workers, limits }));
  if (warm) sandbox.warm();
  const close = async (): Promise<void> => {
    await Promise.all([sandbox.close(), bundler.close()]);
  };
  const props = propsRules({ checkCron: invalidCron });
  return { limits, sandbox, bundler, props, close, [Symbol.asyncDispose]: close };
}
