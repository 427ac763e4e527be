import { LRUCache } from "lru-cache";

import { XError } from "../model/errors.ts";
import { newId } from "../process/ids.ts";
import type { PropShape } from "../model/model.ts";

/** Dynamic props that a client may refer to by id later. In memory; only the newest of each user stay. */
export interface DynamicPropsCache {
  /** Returns the id of the props. */
  add(userId: string, componentId: string, props: readonly PropShape[]): string;
  /** Rejects with `not_found`, or with `invalid_parameter` when the props belong to another component. */
  find(id: string, userId: string, componentId: string): Promise<readonly PropShape[]>;
  /** The entry of this node. */
  entry(id: string, userId: string): DynamicPropsEntry | undefined;
}

/** Dynamic props with their component. */
export interface DynamicPropsEntry {
  readonly componentId: string;
  readonly props: readonly PropShape[];
}

/** The caches of all nodes: an id belongs to the node that computed the props. */
export interface SharedDynamicProps {
  /** An id that belongs to this node. */
  drawId(draw: () => string): string;
  /** The entry of another node. */
  find(id: string, userId: string): Promise<DynamicPropsEntry | undefined>;
}

const mostUsers = 1_000;
const bytesPerUser = 4 * 1024 * 1024;
const recordBytes = 256;

/** Each user has a cache with its own limit, so that no user can evict the props of another. */
export function createDynamicPropsCache(shared?: SharedDynamicProps): DynamicPropsCache {
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
      users ??= new LRUCache({ max: mostUsers });
      users.set(userId, own);
      const draw = (): string => newId("dyp");
      const id = shared?.drawId(draw) ?? draw();
      own.set(id, { componentId, props });
      return id;
    },
    async find(id, userId, componentId) {
      const found = entry(id, userId) ?? (await shared?.find(id, userId));
      if (!found) throw new XError("not_found", ["dynamic props", id]);
      if (found.componentId !== componentId) {
        const expected = `the id of dynamic props of component ${componentId}`;
        throw new XError("invalid_parameter", ["dynamicPropsId", expected, `one of component ${found.componentId}`]);
      }
      return found.props;
    },
  };
}
