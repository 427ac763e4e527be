import type { Registry, RegistryEntry, RegistryItem, RegistryList, RegistryModule, RegistryParts } from "./contract.ts";
import type { Component } from "@x/model";
import { createCatalog, findKey } from "./catalog.ts";
import { createRetry } from "./retry.ts";
import { createReadQueue, readKeyHints, type ReadQueue } from "./read-queue.ts";
import { isClosing, isTransient, type KeyFailure, packageFailure, refusal, registryProblem } from "./problem.ts";

/** The item of a saved component. */
export function itemOf(file: string, { id: componentId, shape }: Component): RegistryItem {
  const { key, name, version, description, props, action } = shape;
  const apps = [...new Set(props.flatMap(({ app }) => app ?? []))].toSorted();
  return {
    file,
    ...(key !== undefined && { key }),
    name,
    version,
    ...(description !== undefined && { description }),
    type: action ? "action" : "source",
    ...(apps.length > 0 && { apps }),
    componentId,
  };
}

/** The list of items that were read. */
function listItems(items: readonly RegistryItem[], total: number): RegistryList {
  const entries = items.flatMap((item): RegistryEntry[] => {
    const { key } = item;
    return key === undefined ? [] : [{ ...item, key, state: "evaluated" }];
  });
  // Gaps are modules that are not read yet.
  const refused = items.filter((item) => item?.problem).length;
  const progress = { known: entries.length, evaluated: entries.length, refused, total };
  return { items: entries.toSorted((a, b) => (a.key < b.key ? -1 : 1)), progress };
}

/** Reads modules in the background, once. Retries modules whose packages could not be installed. */
export function createListRegistry(
  modules: readonly RegistryModule[],
  { save, renew, seemingKey, retryMs, logger }: RegistryParts,
): Registry {
  const catalog = createCatalog(logger, {});
  const items: RegistryItem[] = [];
  const failures: (KeyFailure | undefined)[] = [];
  const positions = new Map(modules.map((module, position) => [{ ...module }, position]));
  let waiting: readonly RegistryModule[] = [...positions.keys()];
  let closed = false;

  async function read(planned: (queue: ReadQueue<RegistryModule>) => void): Promise<void> {
    renew();
    const again: RegistryModule[] = [];
    const queue = createReadQueue(waiting, await readKeyHints(waiting, seemingKey));
    planned(queue);
    for (let module = queue.next(); module; module = queue.next()) {
      if (closed) return;
      const position = positions.get(module) ?? 0;
      const file = "file" in module ? module.file : `module ${position + 1}`;
      try {
        const item = itemOf(file, await save(module, () => undefined, false));
        items[position] = item;
        failures[position] = undefined;
        catalog.add(item);
      } catch (error) {
        if (isClosing(error)) return;
        const problem = registryProblem(error);
        items[position] = { file, problem };
        const key = await seemingKey(module);
        const failure = key === undefined ? undefined : (packageFailure(error, key) ?? refusal(key, file, problem));
        failures[position] = failure;
        if (failure) catalog.fail(failure);
        if (isTransient(error)) again.push(module);
      }
      queue.done(module);
    }
    if (closed) return;
    waiting = again;
    catalog.replace(
      items,
      failures.filter((each) => each !== undefined),
    );
    retry.ended(again.length > 0);
  }

  /** Never rejects: nobody may wait for it. */
  const tryRead: typeof read = (planned) =>
    read(planned).catch((error: unknown) => {
      logger.error("the registry could not be read", { error: registryProblem(error).message });
    });
  const retry = createRetry(retryMs, () => (reading = tryRead(() => undefined)));
  const plan = Promise.withResolvers<ReadQueue<RegistryModule> | undefined>();
  const done = tryRead(plan.resolve).finally(() => plan.resolve(undefined));
  let reading = done;

  return {
    find: async (key, waitMs) => findKey(key, catalog, await plan.promise, waitMs),
    list: () => listItems(items, modules.length),
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
