import type { Source } from "./model.ts";
import type { Store } from "./store/contract.ts";

/** A store in which what is dormant is inactive, whatever its record says: nothing is queued for it, nothing runs. */
export function createDormantStore(engine: Store, isDormant: (id: string) => boolean): Store {
  const show = (source: Source): Source =>
    source.active && isDormant(source.id) ? { ...source, active: false } : source;
  return {
    ...engine,
    async source(id) {
      const source = await engine.source(id);
      return source && show(source);
    },
    async sourceByEndpoint(key) {
      const source = await engine.sourceByEndpoint(key);
      return source && show(source);
    },
    async sources(userId, page, only) {
      const { totalCount, items } = await engine.sources(userId, page, only);
      return { totalCount, items: items.map(show) };
    },
  };
}
