import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { Transitions } from "../invocation/lane/transitions.ts";
import { boundedCache, type Component, type ExecutionCause, type Source } from "@x/model";
import type { Store } from "@x/store";

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

/** The source of an endpoint. */
export interface EndpointSource {
  readonly source: Source;
  readonly component: Component;
}

export interface EndpointSourceParts {
  readonly store: Pick<Store, "sourceByEndpoint">;
  readonly sourceCache: Pick<SourceCache, "find">;
  readonly transitions: Pick<Transitions, "byEndpoint">;
}

/** Finds the source of each endpoint. */
export interface EndpointSources {
  /** The active source of an endpoint, or the one whose hooks are running. */
  find(key: string): Promise<EndpointSource | undefined>;
  /** The source with this id, if it is active and has the endpoint. */
  open(sourceId: string, key: string): Promise<EndpointSource | undefined>;
  /** As `find`, with another `open`. */
  findWith<T>(
    key: string,
    open: (sourceId: string, key: string) => Promise<T | undefined>,
  ): Promise<EndpointSource | T | undefined>;
  /** Forgets the endpoints of a deleted source. */
  forget(source: Source): void;
}

/** About 3 MB. */
const maxRemembered = 20_000;

/** Remembers the id of the source of each endpoint; what it remembers is compared with the source before it is used. */
export function createEndpointSources({ store, sourceCache, transitions }: EndpointSourceParts): EndpointSources {
  const remembered = boundedCache<string>(maxRemembered);

  const open: EndpointSources["open"] = async (sourceId, key) => {
    const cached = await sourceCache.find(sourceId);
    const hasKey = cached?.source.active === true && Object.values(cached.source.endpoints).includes(key);
    return hasKey ? { source: cached.source, component: cached.component } : undefined;
  };

  const findWith: EndpointSources["findWith"] = async (key, openWith) => {
    const transition = transitions.byEndpoint(key);
    if (transition) return transition;
    const known = remembered.get(key);
    const found = known === undefined ? undefined : await openWith(known, key);
    if (found) return found;
    const source = await store.sourceByEndpoint(key);
    if (!source?.active) {
      remembered.delete(key);
      return undefined;
    }
    remembered.set(key, source.id);
    return openWith(source.id, key);
  };

  return {
    find: (key) => findWith(key, open),
    open,
    findWith,
    forget({ endpoints }) {
      for (const key of Object.values(endpoints)) remembered.delete(key);
    },
  };
}
