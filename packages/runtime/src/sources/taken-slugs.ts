import { freeSlug } from "@x/components";
import type { Source } from "@x/model";
import type { Store } from "@x/store";

export interface WantedSlug {
  readonly wanted: string;
  readonly userId: string;
  /** The source whose slug changes. */
  readonly own?: Pick<Source, "nameSlug"> | undefined;
}

/** Slugs of a user's sources, and those that changes under way reserve, so that two changes never get the same slug. */
export interface TakenSlugs {
  /** Finds a free slug and reserves it until it is disposed of. */
  reserve(wanted: WantedSlug): Promise<Disposable & { readonly slug: string }>;
  /** Reserves a slug; returns a function that releases it. */
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
      // Synchronously with the choice, so that no other change chooses the same.
      return { slug, [Symbol.dispose]: hold(userId, slug) };
    },
  };
}
