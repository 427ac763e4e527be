import { setImmediate as nextTurn } from "node:timers/promises";

import { lockKey } from "./package-lock.ts";
import type { Registry } from "./registry/contract.ts";
import type { Store } from "./store/contract.ts";

export interface NeededPackagesParts {
  readonly store: Pick<Store, "users" | "sources" | "component">;
  readonly registry: Pick<Registry, "items">;
}

const pageSize = 100;

/** Components that are deployed, and those that everybody finds by their keys. */
async function* componentsInUse({ store, registry }: NeededPackagesParts): AsyncGenerator<string> {
  for (const { componentId } of await registry.items()) if (componentId !== undefined) yield componentId;
  for (const { id: userId } of await store.users()) {
    for (let after: string | undefined, more = true; more;) {
      const { items } = await store.sources(userId, { limit: pageSize, ...(after !== undefined && { after }) });
      for (const { componentId } of items) yield componentId;
      after = items.at(-1)?.id;
      more = items.length === pageSize;
    }
  }
}

/** Keys of the packages of every component in use: a later version of it finds them without the network. */
export async function neededPackages(parts: NeededPackagesParts): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  const seen = new Set<string>();
  for await (const id of componentsInUse(parts)) {
    if (seen.has(id)) continue;
    seen.add(id);
    const lock = (await parts.store.component(id))?.packageLock;
    if (lock) keys.add(lockKey(lock));
    // A record holds a bundle: others get their turn between two.
    await nextTurn();
  }
  return keys;
}
