import { freeSlug } from "../components/slug.ts";
import type { Source } from "../model/model.ts";
import type { Store } from "../store/contract.ts";

export interface WantedSlug {
  readonly wanted: string;
  readonly userId: string;
  /** The source that changes its own. */
  readonly own?: Pick<Source, "nameSlug"> | undefined;
}

/** Slugs of a user's sources, those included that changes under way are going to take: two at once never get the same. */
export interface TakenSlugs {
  /** Finds a free one and keeps it from others until it is disposed of. */
  reserve(wanted: WantedSlug): Promise<Disposable & { readonly slug: string }>;
  /** Keeps one from others until it is let go. */
  hold(userId: string, slug: string): () => void;
}

export function createTakenSlugs(store: Pick<Store, "slugs">): TakenSlugs {
  const reserved = new Set<string>();
  function hold(userId: string, slug: string): () => void {
    const entry = `${userId} ${slug}`;
    reserved.add(entry);
    return () => void reserved.delete(entry);
  }
  return {
    hold,
    async reserve({ wanted, userId, own }) {
      const taken = new Set(await store.slugs(userId, wanted));
      if (own) taken.delete(own.nameSlug);
      for (const each of reserved) if (each.startsWith(`${userId} `)) taken.add(each.slice(userId.length + 1));
      const slug = freeSlug(wanted, taken);
      // In the same turn as the choice, so that no other change can choose in between.
      return { slug, [Symbol.dispose]: hold(userId, slug) };
    },
  };
}
