import { serialize } from "node:v8";

import { XError, isStoreFailure, systemClock, type Logger } from "@x/model";
import type { Cluster, Store } from "@x/store";
import { type OwnersOf, staleAfter } from "./stale.ts";

export interface CoherentParts {
  readonly cluster: Pick<Cluster, "hasOthers" | "tellAll">;
  readonly ownersOf: OwnersOf;
  readonly logger: Logger;
}

/** A store whose commits resolve when every node has read again what they made out of date. */
export interface CoherentStore {
  readonly store: Store;
  /** Resolves when the commits of this node that are under way have ended. */
  settled(): Promise<void>;
}

/** Wait after the other nodes could not be told, in ms. */
const retryMs = 200;

export function createCoherentStore(inner: Store, { cluster, ownersOf, logger }: CoherentParts): CoherentStore {
  const underWay = new Set<Promise<void>>();

  /** The commit is done and must not seem to have failed: tells the others when the server answers again. */
  async function tell(body: Uint8Array): Promise<void> {
    while (cluster.hasOthers) {
      try {
        await cluster.tellAll("changed", body);
        return;
      } catch (error) {
        if (!XError.is(error) || !isStoreFailure(error.code) || error.code === "store_failed") {
          logger.error("other nodes do not know of a change yet", { error: String(error) });
          return;
        }
      }
      await new Promise<void>((resolve) => void systemClock.wakeAt(systemClock.now() + retryMs, resolve));
    }
  }

  return {
    store: {
      ...inner,
      commit(changes) {
        const stale = cluster.hasOthers ? staleAfter(changes, ownersOf) : undefined;
        // At once, so that commits keep the order of their calls.
        const done = inner.commit(changes);
        const ended = done
          .catch(() => undefined)
          .then(() => {
            underWay.delete(ended);
          });
        underWay.add(ended);
        return stale ? done.then(() => tell(serialize(stale))) : done;
      },
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
