import type { SourceView, UpdateInput } from "../api/api.ts";
import { newSortableId } from "../process/ids.ts";
import { createDispatcher } from "../process/dispatcher.ts";
import { systemClock } from "../process/clock.ts";
import type { SourceSharing, UpdateSource } from "../sources/sources.ts";
import type { TakenSlugs, WantedSlug } from "../sources/taken-slugs.ts";
import type { Router } from "./router.ts";
import type { Territory } from "./territory.ts";

/** Something that this node holds for another one. */
interface Held {
  readonly token: string;
}

interface Tokens {
  /** Holds it until the token is released; a node that ends releases nothing, so at most this long. */
  hold(held: Disposable, mostMs: number): Held;
  release(token: string): void;
}

function createTokens(): Tokens {
  const releases = new Map<string, () => void>();
  return {
    hold(held, mostMs) {
      const token = newSortableId(systemClock.now());
      const release = (): void => {
        releases.delete(token);
        cancel();
        held[Symbol.dispose]();
      };
      const cancel = systemClock.wakeAt(systemClock.now() + mostMs, release);
      releases.set(token, release);
      return { token };
    },
    release: (token) => releases.get(token)?.(),
  };
}

const slugMs = 600_000;
const nameMs = 120_000;

/** What the nodes decide together about sources: their ids, slugs, and who changes them. */
export function createSharedSources(router: Router, territory: Territory, ready: () => Promise<void>): SourceSharing {
  const tokens = createTokens();
  const names = createDispatcher();
  router.answer("sources.release", async ({ args: [token] }) => tokens.release(token as string));
  /** It is released later when the other node cannot be reached. */
  const release = (to: string, token: string): void => {
    const question = { to, method: "sources.release", args: [token] };
    router.call(question, async () => tokens.release(token)).catch(() => undefined);
  };

  function slugs(own: TakenSlugs): TakenSlugs {
    const method = "slugs.reserve";
    async function reserve(wanted: WantedSlug): Promise<Held & { readonly slug: string }> {
      const reserved = await own.reserve(wanted);
      return { slug: reserved.slug, ...tokens.hold(reserved, slugMs) };
    }
    router.answer(method, ({ args: [wanted] }) => reserve(wanted as WantedSlug));
    return {
      hold: own.hold,
      async reserve(wanted) {
        const { userId: to } = wanted;
        // The whole source may have secrets; its slug is enough.
        const asked = { ...wanted, own: wanted.own && { nameSlug: wanted.own.nameSlug } };
        const { slug, token } = await router.call({ to, method, args: [asked] }, () => reserve(asked));
        return { slug, [Symbol.dispose]: () => release(to, token) };
      },
    };
  }

  function update(own: UpdateSource): UpdateSource {
    const method = "sources.update";
    router.answer(method, ({ args: [id, input, userId] }) => own(id as string, input as UpdateInput, userId as string));
    return (id, input, userId) =>
      router.call<SourceView>({ to: id, method, args: [id, input, userId] }, () => own(id, input, userId));
  }

  const enterHere = async (name: string): Promise<Held> => tokens.hold(await names.enter(name), nameMs);
  router.answer("names.enter", ({ args: [name] }) => enterHere(name as string));

  return {
    async drawId(draw) {
      await ready();
      return territory.drawId(draw);
    },
    enter: territory.enter,
    slugs,
    update,
    async enterName(name) {
      const { token } = await router.call({ to: name, method: "names.enter", args: [name] }, () => enterHere(name));
      return { [Symbol.dispose]: () => release(name, token) };
    },
  };
}
