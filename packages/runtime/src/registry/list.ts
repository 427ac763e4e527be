import type { RegistryItem } from "../api.ts";
import type { Component } from "../model.ts";
import type { RegistryModule } from "../options.ts";
import { createCatalog } from "./catalog.ts";
import type { Registry, RegistryParts } from "./contract.ts";
import { registryProblem } from "./verdict.ts";

/** What is shown of a saved component. */
export const itemOf = (file: string, { id: componentId, shape }: Component): RegistryItem => ({
  file,
  ...(shape.key !== undefined && { key: shape.key }),
  name: shape.name,
  version: shape.version,
  componentId,
});

/** Reads these modules in the background, once. */
export function createListRegistry(modules: readonly RegistryModule[], { save, logger }: RegistryParts): Registry {
  const catalog = createCatalog(logger, {});
  let closed = false;

  const reading = (async () => {
    const items: RegistryItem[] = [];
    for (const [place, module] of modules.entries()) {
      if (closed) return;
      const file = "file" in module ? module.file : `module ${place + 1}`;
      try {
        const item = itemOf(file, await save(module, () => undefined));
        items.push(item);
        catalog.add(item);
      } catch (error) {
        items.push({ file, problem: registryProblem(error) });
      }
    }
    if (!closed) catalog.replace(items);
  })();
  let isRead = false;
  const done = reading.finally(() => (isRead = true));

  return {
    async find(key) {
      for (;;) {
        const id = catalog.idOf(key);
        if (id !== undefined || isRead) return id;
        await Promise.race([done, catalog.changed()]);
      }
    },
    async items() {
      await done;
      return catalog.items;
    },
    async close() {
      closed = true;
      await done;
    },
  };
}
