import { LRUCache } from "lru-cache";

import {
  boundedCache,
  XError,
  effectiveComponent,
  everySource,
  type Component,
  type DedupeState,
  type EventId,
  type Holding,
  type Source,
  type StreamKind,
} from "@x/model";
import { slotOf, type Slots, type Store } from "@x/store";

/** A source with its state, cached between invocations. Only the lane of the source changes it, after a commit. */
export interface CachedSource {
  source: Source;
  /** Includes the dynamic props of the source. */
  component: Component;
  dedupe: { readonly [channel: string]: DedupeState };
  heads: { readonly [stream in StreamKind]?: EventId };
  /** Key -> JSON text. */
  db: Map<string, string>;
  /** Events added per stream since the last trim; undefined until the first trim of this process. */
  untrimmed: Map<StreamKind, number>;
}

/** `$.service.db` in a Keyv of the embedder instead of the store. */
export interface ExternalDb {
  load(sourceId: string): Promise<Map<string, string>>;
  flush(sourceId: string, values: ReadonlyMap<string, string>): Promise<void>;
  delete(sourceId: string): Promise<void>;
}

export interface SourceCache {
  /** Rejects with `not_found` for a deleted source. */
  get(sourceId: string): Promise<CachedSource>;
  /** Resolves with undefined for a deleted source. */
  find(sourceId: string): Promise<CachedSource | undefined>;
  put(cached: CachedSource): void;
  forget(sourceId: string): void;
  /** The slots of its sources. */
  slots(): ReadonlySet<number>;
  /** Forgets the sources of these slots. */
  forgetSlots(slots: Slots): void;
  /** The component of a source, with its dynamic props; reads no state. Rejects with `not_found`. */
  component(source: Source): Promise<Component>;
}

const cacheBytes = 128 * 1024 * 1024;
const recordBytes = 2_048;
const maxComponents = 2_000;

const sizeOf = (cached: CachedSource): number => {
  let size = recordBytes;
  for (const [key, value] of cached.db) size += 2 * (key.length + value.length);
  for (const state of Object.values(cached.dedupe)) size += state.ids.length * 100;
  return size;
};

/** Recently used sources, at most 128 MiB; others are read from the store when needed, and so are those of other nodes. */
export function createSourceCache(
  store: Store,
  externalDb: ExternalDb | undefined,
  { mayRun }: Pick<Holding, "mayRun"> = everySource,
): SourceCache {
  const cache = new LRUCache<string, CachedSource>({ maxSize: cacheBytes, sizeCalculation: sizeOf });
  /** A move of slots looks at every cached source for each group of slots. */
  const knownSlots = new WeakMap<CachedSource, number>();
  const components = boundedCache<Component>(maxComponents);

  async function componentOf(source: Source): Promise<Component> {
    const known = components.get(source.componentId);
    if (known) return known;
    const component = await store.component(source.componentId);
    if (!component) throw new XError("not_found", ["component", source.componentId]);
    components.set(component.id, component);
    return component;
  }

  async function load(sourceId: string): Promise<CachedSource> {
    const source = await store.source(sourceId);
    if (!source) throw new XError("not_found", ["source", sourceId]);
    const [loaded, state, db] = await Promise.all([
      componentOf(source),
      store.sourceState(sourceId),
      externalDb ? externalDb.load(sourceId) : store.db(sourceId),
    ]);
    const component = effectiveComponent(loaded, source.dynamicProps);
    return { source, component, ...state, db: new Map(db), untrimmed: new Map() };
  }

  /** Loads under way. `put` and `forget` remove them: a read that began before a commit must not be cached after it. */
  const loading = new Map<string, Promise<CachedSource>>();

  async function get(sourceId: string): Promise<CachedSource> {
    const known = cache.get(sourceId);
    if (known) return known;
    const mine = loading.get(sourceId) ?? load(sourceId);
    loading.set(sourceId, mine);
    try {
      const cached = await mine;
      if (loading.get(sourceId) !== mine) return cache.get(sourceId) ?? (await get(sourceId));
      if (mayRun(sourceId)) cache.set(sourceId, cached);
      return cached;
    } finally {
      if (loading.get(sourceId) === mine) loading.delete(sourceId);
    }
  }

  function forget(sourceId: string): void {
    loading.delete(sourceId);
    cache.delete(sourceId);
  }

  function slotOfCached(cached: CachedSource): number {
    const known = knownSlots.get(cached);
    if (known !== undefined) return known;
    const slot = slotOf(cached.source.id);
    knownSlots.set(cached, slot);
    return slot;
  }

  return {
    get,
    find: (sourceId) =>
      get(sourceId).catch((error: unknown) => {
        if (XError.is(error) && error.code === "not_found") return undefined;
        throw error;
      }),
    put(cached) {
      loading.delete(cached.source.id);
      // Setting the same object again would not update its size.
      cache.delete(cached.source.id);
      if (mayRun(cached.source.id)) cache.set(cached.source.id, cached);
    },
    forget,
    slots: () => new Set([...cache.values()].map(slotOfCached)),
    forgetSlots({ has, list }) {
      for (const sourceId of loading.keys()) if (has(sourceId)) forget(sourceId);
      const leaving = new Set(list);
      const gone = [...cache.values()].filter((cached) => leaving.has(slotOfCached(cached)));
      for (const { source } of gone) forget(source.id);
    },
    component: async (source) => effectiveComponent(await componentOf(source), source.dynamicProps),
  };
}
