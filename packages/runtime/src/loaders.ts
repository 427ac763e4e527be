import { createTurns } from "./components/bundle/turns.ts";
import { bundleInBackground } from "./components/bundle/bundle-packages.ts";
import { createUrlBundler } from "./components/bundle/bundle-url.ts";
import type { ComponentLoader, Describe, WorkflowLoader } from "./components/contract.ts";
import { createComponentLoader } from "./components/load.ts";
import { createWorkflowLoader } from "./workflows/workflow-load.ts";
import { createEgress } from "./network/egress.ts";
import type { Engine, Limits, Logger, RuntimeOptions } from "./api/options.ts";
import { cacheFolder } from "./packages/cache/cache-folder.ts";
import { createInstaller } from "./packages/installer.ts";
import { createCachingInstaller } from "./packages/caching-installer.ts";
import type { Sandbox } from "./sandbox/contract.ts";

export interface LoadersParts {
  readonly options: RuntimeOptions;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly engine: Pick<Engine, "bundler" | "props" | "installs">;
  readonly sandbox: Pick<Sandbox, "describe">;
  /** Keys of the packages that stay in the cache. */
  needed(): Promise<ReadonlySet<string>>;
}

/** What makes components of code, with all that this needs: the network, packages, the sandbox to see what they export. */
export interface Loaders {
  readonly component: ComponentLoader;
  /** For the registry: asks npm once for all components of a scan. */
  readonly shared: ComponentLoader;
  readonly workflow: WorkflowLoader;
  /** A scan begins. */
  renew(): void;
  close(): Promise<void>;
}

export function createLoaders({ options, limits, logger, engine, sandbox, needed }: LoadersParts): Loaders {
  const { bundler, props, installs } = engine;
  const describeWith =
    (image: boolean): Describe =>
    (bundle, times) =>
      sandbox.describe(bundle, {
        image,
        memoryBytes: limits.memoryBytes,
        timeoutMs: limits.describeTimeoutMs * times,
      });
  const egress = createEgress(options.network ?? {}, {
    fetchTimeoutMs: limits.codeFetchTimeoutMs,
    fetchBodyBytes: limits.codeBytes,
    fetchRedirects: limits.fetchRedirects,
  });
  const { fetch, forbidden } = egress;
  const packages =
    options.packages === false
      ? undefined
      : createInstaller({
          cacheFolder: cacheFolder(options.packages?.cache, options.data),
          packages: options.packages ?? {},
          pool: installs,
          limits,
          needed,
          logger,
        });
  const cachingInstaller = packages && createCachingInstaller(packages, limits.packageRequestTimeoutMs);
  // Most components of a registry never run here.
  const describeUnkept = describeWith(false);
  const evaluations = createTurns();
  const parts = {
    bundler,
    warn: logger.warn.bind(logger),
    bundleUrl: createUrlBundler({ bundler, fetch, forbidden, limits }),
    describe: describeWith(true),
  };
  return {
    component: createComponentLoader({ ...parts, packages }),
    shared: createComponentLoader({
      ...parts,
      bundler: bundleInBackground(bundler),
      // One at a time: a thread is left for whoever calls meanwhile, and none is started and ended for each.
      describe: (bundle, times) => evaluations.take(() => describeUnkept(bundle, times), true),
      packages: cachingInstaller,
      mayBeOther: true,
    }),
    workflow: createWorkflowLoader({ bundler, describe: parts.describe, props, packages }),
    renew: () => cachingInstaller?.renew(),
    async close() {
      await Promise.all([egress.close(), packages?.close()]);
    },
  };
}
