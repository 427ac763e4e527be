import type { Registry } from "../registry/contract.ts";
import type { Store } from "../store/contract.ts";

export interface NeededPackagesParts {
  readonly store: Pick<Store, "lockKeys">;
  readonly registry: Pick<Registry, "items">;
}

/**
 * Keys of the packages of every component in use, deployed or found by everybody: a later version of it finds them
 * without the network.
 */
export async function neededPackages({ store, registry }: NeededPackagesParts): Promise<ReadonlySet<string>> {
  const items = await registry.items();
  return new Set(await store.lockKeys(items.flatMap(({ componentId }) => componentId ?? [])));
}
