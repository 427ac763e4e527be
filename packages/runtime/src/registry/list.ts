import type { RegistryItem } from "../api/api.ts";
import type { Component } from "../model/model.ts";
import type { RegistryModule } from "../api/options.ts";
import { createCatalog, findKey } from "./catalog.ts";
import type { Registry, RegistryParts } from "./contract.ts";
import { createRetry } from "./retry.ts";
import { createReadingLine, type ReadingLine, readKeyHints } from "./read-queue.ts";
import { findUnserved, isClosing, mayPass, refusedAs, registryProblem, type Unserved } from "./problem.ts";

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
  const places = new Map(modules.map((module, place) => [{ ...module }, place]));
  let waiting: readonly RegistryModule[] = [...places.keys()];
  let closed = false;

  async function read(planned: (line: ReadingLine<RegistryModule>) => void): Promise<void> {
    renew();
    const again: RegistryModule[] = [];
    const line = createReadingLine(waiting, await readKeyHints(waiting, seemingKey));
    planned(line);
    for (let module = line.next(); module; module = line.next()) {
      if (closed) return;
      const place = places.get(module) ?? 0;
      const file = "file" in module ? module.file : `module ${place + 1}`;
      try {
        const item = itemOf(file, await save(module, () => undefined));
        items[place] = item;
        unserved[place] = undefined;
        catalog.add(item);
      } catch (error) {
        if (isClosing(error)) return;
        const problem = registryProblem(error);
        items[place] = { file, problem };
        const key = await seemingKey(module);
        const refused =
          (await findUnserved(error, () => Promise.resolve(key))) ??
          (key === undefined ? undefined : refusedAs(key, file, problem));
        unserved[place] = refused;
        if (refused) catalog.fail(refused);
        if (mayPass(error)) again.push(module);
      }
      line.done(module);
    }
    if (closed) return;
    waiting = again;
    catalog.replace(
      items,
      unserved.filter((each) => each !== undefined),
    );
    retry.ended(again.length > 0);
  }

  const retry = createRetry(retryMs, () => (reading = read(() => undefined)));
  const plan = Promise.withResolvers<ReadingLine<RegistryModule> | undefined>();
  const done = read(plan.resolve).finally(() => plan.resolve(undefined));
  let reading = done;

  return {
    find: async (key) => findKey(key, catalog, await plan.promise),
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
