import type { RegistryItem } from "../api.ts";
import type { Component } from "../model.ts";
import type { RegistryModule } from "../options.ts";
import { createCatalog } from "./catalog.ts";
import type { Registry, RegistryParts } from "./contract.ts";
import { createRetry } from "./retry.ts";
import { findUnserved, type Unserved } from "./unserved.ts";
import { mayPass, registryProblem } from "./verdict.ts";

/** What is shown of a saved component. */
export const itemOf = (file: string, { id: componentId, shape }: Component): RegistryItem => ({
  file,
  ...(shape.key !== undefined && { key: shape.key }),
  name: shape.name,
  version: shape.version,
  componentId,
});

/** Reads these modules in the background, once; those that could not have their packages are read again. */
export function createListRegistry(
  modules: readonly RegistryModule[],
  { save, renew, seemingKey, retryMs, logger }: RegistryParts,
): Registry {
  const catalog = createCatalog(logger, {});
  const items: RegistryItem[] = [];
  const unserved: (Unserved | undefined)[] = [];
  let waiting = [...modules.entries()];
  let closed = false;

  async function read(): Promise<void> {
    renew();
    const again: typeof waiting = [];
    for (const [place, module] of waiting) {
      if (closed) return;
      const file = "file" in module ? module.file : `module ${place + 1}`;
      try {
        const item = itemOf(file, await save(module, () => undefined));
        items[place] = item;
        unserved[place] = undefined;
        catalog.add(item);
      } catch (error) {
        items[place] = { file, problem: registryProblem(error) };
        unserved[place] = await findUnserved(error, () => seemingKey(module));
        if (mayPass(error)) again.push([place, module]);
      }
    }
    if (closed) return;
    waiting = again;
    catalog.replace(
      items,
      unserved.filter((each) => each !== undefined),
    );
    retry.ended(again.length > 0);
  }

  const retry = createRetry(retryMs, () => (reading = read()));
  let reading = read();
  let isRead = false;
  const done = reading.finally(() => (isRead = true));

  return {
    find: (key) => catalog.find(key, () => (isRead ? undefined : done)),
    async items() {
      await done;
      return catalog.items;
    },
    async close() {
      closed = true;
      retry.close();
      await reading;
    },
  };
}
