import { LRUCache } from "lru-cache";

import { newId, type PropShape } from "@x/model";
import { type DynamicPropsEntry, entryProps } from "./dynamic-props-entry.ts";

/** Dynamic props that a client may refer to by id later. In memory; only the newest of each user stay. */
export interface DynamicPropsCache {
  /** Returns the id of the props. */
  add(userId: string, componentId: string, props: readonly PropShape[]): string;
  /** Rejects with `not_found`, or with `invalid_parameter` when the props belong to another component. */
  find(id: string, userId: string, componentId: string): Promise<readonly PropShape[]>;
  /** The props of the user with this id, if they are remembered, whatever their component. */
  entry(id: string, userId: string): DynamicPropsEntry | undefined;
}

const maxUsers = 1_000;
const bytesPerUser = 4 * 1024 * 1024;
const recordBytes = 256;

/** Each user has a cache with its own limit, so that no user can evict the props of another. */
export function createDynamicPropsCache(draw = (): string => newId("dyp")): DynamicPropsCache {
  // Created at the first use: an LRUCache allocates memory for all its entries.
  let users: LRUCache<string, LRUCache<string, DynamicPropsEntry>> | undefined;
  const entry: DynamicPropsCache["entry"] = (id, userId) => users?.get(userId)?.get(id);

  return {
    entry,
    add(userId, componentId, props) {
      const own =
        users?.get(userId) ??
        new LRUCache<string, DynamicPropsEntry>({
          maxSize: bytesPerUser,
          sizeCalculation: (entry) => recordBytes + JSON.stringify(entry.props).length,
        });
      users ??= new LRUCache({ max: maxUsers });
      users.set(userId, own);
      const id = draw();
      own.set(id, { componentId, props });
      return id;
    },
    find: async (id, userId, componentId) => entryProps(id, entry(id, userId), componentId),
  };
}
