import { LRUCache } from "lru-cache";

import type { EndpointRequest, EndpointResponse } from "../api/api.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";
import type { Component, Source } from "../model/model.ts";
import type { ExecutionCause } from "../model/trigger-origin.ts";
import type { Store } from "../store/contract.ts";

/** A request from a run of this runtime. */
export interface CallFromInside {
  /** Owner of the component that sends it. */
  readonly userId: string;
  /** Hops of the trigger. */
  readonly hops: number;
  readonly cause?: ExecutionCause;
  /** Call before the caller waits for a run of that source; throws when the caller would wait for itself. */
  willWaitFor(sourceId: string): void;
}

/** Requests for sources that other nodes run. */
export interface Elsewhere {
  /**
   * Resolves, when this node runs the source, with a function to call when the client waits no longer; else with
   * undefined. `isInside`: for a run of this node, which may need the source while it is handed over, and for who has
   * entered it already.
   */
  enter(sourceId: string, isInside: boolean): Promise<(() => void) | undefined>;
  /** A source that is being changed by another node, and whose hooks may have registered this endpoint. */
  findChanging(key: string): Promise<Source | undefined>;
  /** The answer of the node that runs the source. */
  ask(sourceId: string, key: string, request: EndpointRequest, inside?: CallFromInside): Promise<EndpointResponse>;
}

/** The source of an endpoint, which this node runs. */
export interface SourceHere {
  readonly source: Source;
  readonly component: Component;
  /** With several nodes: call it when the client waits no longer. */
  readonly leave?: () => void;
}

/** The id of a source that another node runs or changes: that node knows whether the endpoint is there. */
export interface SourceAway {
  readonly awayId: string;
}

export interface EndpointSourceParts {
  readonly store: Pick<Store, "sourceByEndpoint">;
  readonly sourceCache: Pick<SourceCache, "find">;
  readonly transitions: Pick<Transitions, "byEndpoint">;
  /** With several nodes. */
  elsewhere(): Elsewhere | undefined;
}

/** Finds the source of each endpoint. */
export interface EndpointSources {
  /** The active source of an endpoint, or the one whose hooks are running. */
  find(key: string, isInside: boolean): Promise<SourceHere | SourceAway | undefined>;
  /** Forgets the endpoints of a deleted source. */
  forget(source: Source): void;
}

/** About 3 MB. */
const mostRemembered = 20_000;

/** Remembers the id of the source of each endpoint; what it remembers is compared with the source before it is used. */
export function createEndpointSources({
  store,
  sourceCache,
  transitions,
  elsewhere,
}: EndpointSourceParts): EndpointSources {
  const remembered = new LRUCache<string, string>({ max: mostRemembered });

  async function open(sourceId: string, key: string, isInside: boolean): Promise<SourceHere | SourceAway | undefined> {
    const others = elsewhere();
    const leave = await others?.enter(sourceId, isInside);
    if (others && !leave) return { awayId: sourceId };
    let isHere = false;
    try {
      const cached = await sourceCache.find(sourceId);
      isHere = cached?.source.active === true && Object.values(cached.source.endpoints).includes(key);
      return cached && isHere
        ? { source: cached.source, component: cached.component, ...(leave && { leave }) }
        : undefined;
    } finally {
      if (!isHere) leave?.();
    }
  }

  return {
    async find(key, isInside) {
      const transition = transitions.byEndpoint(key);
      if (transition) return transition;
      const known = remembered.get(key);
      const found = known === undefined ? undefined : await open(known, key, isInside);
      if (found) return found;
      const source = await store.sourceByEndpoint(key);
      if (!source?.active) {
        remembered.delete(key);
        const changing = await elsewhere()?.findChanging(key);
        return changing && { awayId: changing.id };
      }
      remembered.set(key, source.id);
      return open(source.id, key, isInside);
    },
    forget({ endpoints }) {
      for (const key of Object.values(endpoints)) remembered.delete(key);
    },
  };
}
