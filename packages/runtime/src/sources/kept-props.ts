import { LRUCache } from "lru-cache";

import { XError } from "../model/errors.ts";
import { newId } from "../process/ids.ts";
import type { PropShape } from "../model/model.ts";

/** Dynamic props that a caller may name by id later. */
export interface KeptProps {
  keep(userId: string, componentId: string, props: readonly PropShape[]): string;
  /** Rejects with `not_found`; with `invalid_parameter` when they belong to another component. */
  find(id: string, userId: string, componentId: string): readonly PropShape[];
}

interface Kept {
  readonly componentId: string;
  readonly props: readonly PropShape[];
}

const mostUsers = 1_000;
const bytesPerUser = 4 * 1024 * 1024;
const recordBytes = 256;

/** Keeps them in memory, the last ones of each user; nobody can push out another user's. */
export function createKeptProps(): KeptProps {
  // Made when it is first needed: it sets aside places for all of them.
  let users: LRUCache<string, LRUCache<string, Kept>> | undefined;

  return {
    keep(userId, componentId, props) {
      const own =
        users?.get(userId) ??
        new LRUCache<string, Kept>({
          maxSize: bytesPerUser,
          sizeCalculation: (kept) => recordBytes + JSON.stringify(kept.props).length,
        });
      users ??= new LRUCache({ max: mostUsers });
      users.set(userId, own);
      const id = newId("dyp");
      own.set(id, { componentId, props });
      return id;
    },
    find(id, userId, componentId) {
      const kept = users?.get(userId)?.get(id);
      if (!kept) throw new XError("not_found", ["dynamic props", id]);
      if (kept.componentId !== componentId) {
        const expected = `the id of dynamic props of component ${componentId}`;
        throw new XError("invalid_parameter", ["dynamicPropsId", expected, `one of component ${kept.componentId}`], {
          details: { parameter: "dynamicPropsId" },
        });
      }
      return kept.props;
    },
  };
}
