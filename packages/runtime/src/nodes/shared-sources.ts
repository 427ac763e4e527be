import type { SourceView, UpdateInput } from "../api/api.ts";
import type { Components } from "@x/components";
import { newId, newSortableId, systemClock } from "@x/model";
import type { Reservations } from "../sources/reservations.ts";
import type { Sources } from "../sources/sources.ts";
import type { TakenSlugs, WantedSlug } from "../sources/taken-slugs.ts";
import type { Router } from "./router.ts";
import type { HeldSlots } from "./held-slots.ts";

/** Something that this node holds for another one. */
interface Held {
  readonly token: string;
}

interface Tokens {
  /** Holds it until the token is released; a node that ends releases nothing, so at most this long. */
  hold(held: Disposable, maxMs: number): Held;
  release(token: string): void;
}

function createTokens(): Tokens {
  const releases = new Map<string, () => void>();
  return {
    hold(held, maxMs) {
      const token = newSortableId(systemClock.now());
      const release = (): void => {
        releases.delete(token);
        cancel();
        held[Symbol.dispose]();
      };
      const cancel = systemClock.wakeAt(systemClock.now() + maxMs, release);
      releases.set(token, release);
      return { token };
    },
    release: (token) => releases.get(token)?.(),
  };
}

const slugMs = 600_000;
const nameMs = 120_000;

export interface SharedReservationsParts {
  readonly router: Router;
  readonly heldSlots: Pick<HeldSlots, "drawId" | "enter">;
  /** Resolves when this node takes part. */
  ready(): Promise<void>;
}

/** Reserves slugs and names on all nodes, and ids that belong to this one. */
export function shareReservations(own: Reservations, parts: SharedReservationsParts): Reservations {
  const { router, heldSlots, ready } = parts;
  const tokens = createTokens();
  router.answer("sources.release", async ({ args: [token] }) => tokens.release(token as string));
  /** It is released later when the other node cannot be reached. */
  const release = (to: string, token: string): void => {
    const question = { to, method: "sources.release", args: [token] };
    router.call(question, async () => tokens.release(token)).catch(() => undefined);
  };

  async function reserveHere(wanted: WantedSlug): Promise<Held & { readonly slug: string }> {
    const reserved = await own.slugs.reserve(wanted);
    return { slug: reserved.slug, ...tokens.hold(reserved, slugMs) };
  }
  router.answer("slugs.reserve", ({ args: [wanted] }) => reserveHere(wanted as WantedSlug));
  const reserve: TakenSlugs["reserve"] = async (wanted) => {
    const { userId: to } = wanted;
    // The whole source may have secrets; its slug is enough.
    const asked = { ...wanted, own: wanted.own && { nameSlug: wanted.own.nameSlug } };
    const question = { to, method: "slugs.reserve", args: [asked] };
    const { slug, token } = await router.call(question, () => reserveHere(asked));
    return { slug, [Symbol.dispose]: () => release(to, token) };
  };

  const enterHere = async (name: string): Promise<Held> => tokens.hold(await own.names.enter(name), nameMs);
  router.answer("names.enter", ({ args: [name] }) => enterHere(name as string));
  const enter = async (name: string): Promise<Disposable> => {
    const { token } = await router.call({ to: name, method: "names.enter", args: [name] }, () => enterHere(name));
    return { [Symbol.dispose]: () => release(name, token) };
  };

  return {
    slugs: { hold: own.slugs.hold, reserve },
    names: { enter },
    async reserveId() {
      await ready();
      const id = await heldSlots.drawId(() => newId("dc"));
      const client = heldSlots.enter(id);
      return { id, [Symbol.dispose]: () => client[Symbol.dispose]() };
    },
  };
}

export interface SharedSourcesParts extends Pick<Reservations, "names"> {
  readonly router: Router;
  readonly components: Pick<Components, "save">;
}

/** Updates each source on the node that runs it. */
export function shareSources(own: Sources, { router, components, names }: SharedSourcesParts): Sources {
  const method = "sources.update";
  router.answer(method, ({ args: [id, input, userId] }) =>
    own.update(id as string, input as UpdateInput, userId as string),
  );
  return {
    ...own,
    async create(input, userId) {
      const { webhookUrl: url } = input;
      // Two nodes would both find no webhook with the URL.
      using _url = url === undefined ? undefined : await names.enter(`${userId} ${url}`);
      return await own.create(input, userId);
    },
    async update(id, given, userId) {
      const { file, root, ...rest } = given;
      const call = (input: UpdateInput): Promise<SourceView> =>
        router.call({ to: id, method, args: [id, input, userId] }, () => own.update(id, input, userId));
      if (file === undefined) return call(given);
      // The file is on this machine, the source perhaps on another one.
      const saved = await components.save({ file, ...(root !== undefined && { root }) }, userId);
      return call({ ...rest, componentId: saved.id });
    },
  };
}
