import { createDispatcher, newId } from "@x/model";
import type { Store } from "@x/store";
import type { DeployParts } from "./deploy.ts";
import type { DeployByNameParts } from "./deploy-by-name.ts";
import { createTakenSlugs, type TakenSlugs } from "./taken-slugs.ts";

/** What changes of sources reserve, so that no two of them get the same. */
export interface Reservations extends Pick<DeployParts, "reserveId">, Pick<DeployByNameParts, "names"> {
  readonly slugs: TakenSlugs;
}

export const createReservations = (store: Pick<Store, "slugs">): Reservations => ({
  slugs: createTakenSlugs(store),
  names: createDispatcher(),
  reserveId: async () => ({ id: newId("dc"), [Symbol.dispose]: () => undefined }),
});
