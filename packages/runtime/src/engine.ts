import {
  bundleWithPackages,
  cacheBundles,
  createBuilder,
  createInstallPool,
  propsRules,
  withInlineMaps,
} from "@x/components";
import { readVerify } from "./signatures/stored-verification.ts";
import { checkEngineOptions } from "./api/option-rules.ts";
import { type Engine, type EngineOptions } from "./api/options.ts";
import { resolveLimits } from "@x/model";
import { cacheDescriptions, openSandbox } from "@x/sandbox";

/**
 * Creates sandbox threads and a bundler for several runtimes of one process: the second runtime starts in about a
 * millisecond. An idle engine does not keep the process alive. Close it after the runtimes. Rejects with `invalid_options`.
 */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  checkEngineOptions(options);
  const { workers, limits: given, warm, sandbox: kind = "quickjs", instrument, buildsFolder } = options;
  const limits = resolveLimits(given);
  const builder = createBuilder({
    timeoutMs: limits.bundleTimeoutMs,
    memoryBytes: limits.bundleMemoryBytes,
    codeBytes: limits.codeBytes,
    bundleBytes: limits.bundleBytes,
    instrument: instrument?.module,
    buildsFolder,
  });
  const plainBundler = bundleWithPackages(cacheBundles(builder));
  const bundler = kind === "node" ? withInlineMaps(plainBundler) : plainBundler;
  // First, because it takes longest.
  if (warm) bundler.warm(warm === "changing");
  const counted = instrument?.counted;
  const sandbox = cacheDescriptions(await openSandbox(kind, { workers, limits, counted }));
  if (warm) sandbox.warm();
  const installs = createInstallPool({ timeoutMs: limits.packageTimeoutMs, memoryBytes: limits.packageMemoryBytes });
  const close = async (): Promise<void> => {
    await Promise.all([sandbox.close(), bundler.close(), installs.close()]);
  };
  const props = propsRules(readVerify);
  return { limits, sandbox, bundler, installs, props, close, [Symbol.asyncDispose]: close };
}
