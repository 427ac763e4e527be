import {
  bundleInBackground,
  cacheFolder,
  createCachingInstaller,
  createComponentLoader,
  createInstaller,
  createJobQueue,
  createUrlBundler,
  type ComponentLoader,
  type Describe,
  type WorkflowLoader,
} from "@x/components";
import { createWorkflowLoader } from "./workflows/workflow-load.ts";
import { createEgress } from "./network/egress.ts";
import type { Engine, RuntimeOptions } from "./api/options.ts";
import type { Limits, Logger } from "@x/model";
import type { Sandbox } from "@x/sandbox";

export interface LoadersParts {
  readonly options: RuntimeOptions;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly engine: Pick<Engine, "bundler" | "props" | "installs">;
  readonly sandbox: Pick<Sandbox, "describe">;
  /** Keys of the packages that must stay in the cache. */
  needed(): Promise<ReadonlySet<string>>;
}

/** Loads components and workflows from code, with the network, packages and the sandbox. */
export interface Loaders {
  readonly component: ComponentLoader;
  /** For the registry: they resolve each package once per scan. */
  readonly shared: { readonly asked: ComponentLoader; readonly background: ComponentLoader };
  readonly workflow: WorkflowLoader;
  /** Call at the begin of a scan. */
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
  // Without an image: most components of a registry never run.
  const describeWithoutImage = describeWith(false);
  const evaluations = createJobQueue();
  const parts = {
    bundler,
    warn: logger.warn.bind(logger),
    bundleUrl: createUrlBundler({ bundler, fetch, forbidden, limits }),
    describe: describeWith(true),
  };
  const shared = (inBackground: boolean): ComponentLoader =>
    createComponentLoader({
      ...parts,
      bundler: inBackground ? bundleInBackground(bundler) : bundler,
      // One at a time: other threads stay free for calls, and no thread is started for each evaluation.
      describe: (bundle, times) => evaluations.take(() => describeWithoutImage(bundle, times), inBackground),
      packages: cachingInstaller,
      mayBeOther: true,
    });
  return {
    component: createComponentLoader({ ...parts, packages }),
    shared: { asked: shared(false), background: shared(true) },
    workflow: createWorkflowLoader({ bundler, describe: parts.describe, props, packages }),
    renew: () => cachingInstaller?.renew(),
    async close() {
      await Promise.all([egress.close(), packages?.close()]);
    },
  };
}
