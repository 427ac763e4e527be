import type { Source } from "../model/model.ts";
import type { Store } from "../store/contract.ts";

/** A store in which what is dormant is inactive, whatever its record says: nothing is queued for it, nothing runs. */
export function createDormantStore(inner: Store, isDormant: (id: string) => boolean): Store {
  const show = (source: Source): Source =>
    source.active && isDormant(source.id) ? { ...source, active: false } : source;
  return {
    ...inner,
    async source(id) {
      const source = await inner.source(id);
      return source && show(source);
    },
    async sourceByEndpoint(key) {
      const source = await inner.sourceByEndpoint(key);
      return source && show(source);
    },
    async sources(userId, page, only) {
      const { totalCount, items } = await inner.sources(userId, page, only);
      return { totalCount, items: items.map(show) };
    },
  };
}
