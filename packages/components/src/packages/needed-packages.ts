import type { Registry } from "../registry/contract.ts";
import type { Store } from "@x/store";

export interface NeededPackagesParts {
  readonly store: Pick<Store, "lockKeys">;
  readonly registry: Pick<Registry, "items">;
}

/**
 * Keys of the packages of every component that is deployed or in the registry. The cache keeps them, so that a later
 * version needs no network.
 */
export async function neededPackages({ store, registry }: NeededPackagesParts): Promise<ReadonlySet<string>> {
  const items = await registry.items();
  return new Set(await store.lockKeys(items.flatMap(({ componentId }) => componentId ?? [])));
}
