import type { Engine, RuntimeOptions } from "../api/options.ts";
import type { Clock, Limits, Logger } from "@x/model";
import { createComponents, createRegistry, seemingKey, type Components, type Registry } from "@x/components";
import { createLoaders, type Loaders } from "../loaders.ts";
import type { Sandbox } from "@x/sandbox";
import type { Store, Texts } from "@x/store";

export interface ComponentsBase {
  readonly options: RuntimeOptions;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Store;
  readonly texts: Texts;
  readonly engine: Engine;
  readonly sandbox: Sandbox;
}

/** Components of users and of the registry, and their loaders. */
export interface ComponentParts {
  readonly loaders: Loaders;
  readonly components: Components;
  readonly registry: Registry;
}

export function assembleComponents(base: ComponentsBase): ComponentParts {
  const { options, limits, clock, logger, store, texts, engine, sandbox } = base;
  // Of deployed sources and workflows.
  const needed = async (): Promise<ReadonlySet<string>> => new Set(await store.lockKeys([]));
  const loaders = createLoaders({ options, limits, logger, engine, sandbox, needed });
  const components = createComponents({
    store,
    texts,
    loader: loaders.component,
    sharedLoader: loaders.shared,
    seemingKey,
    clock,
    sharedId: (key, waitMs) => registry.find(key, waitMs),
    sharedWaitMs: limits.registryWaitMs,
  });
  const registry = createRegistry(options.registry, {
    store,
    save: components.saveShared,
    declare: engine.bundler.declare.bind(engine.bundler),
    renew: loaders.renew,
    seemingKey,
    retryMs: limits.packageRetryMs,
    logger,
  });
  return { loaders, components, registry };
}
